"""The style sheet, in the colours of the notebook's theme."""

from __future__ import annotations

# Every colour is the theme's, or a shade of grey or orange that suits white and black.
STYLE = """<style>
.pyod-aspects {
  --pa-ink: var(--jp-ui-font-color1, #1b2430);
  --pa-soft: var(--jp-ui-font-color2, #5d6878);
  --pa-paper: var(--jp-layout-color1, transparent);
  --pa-line: rgba(127,137,150,.28);
  --pa-tint: rgba(127,137,150,.09);
  --pa-hover: rgba(127,137,150,.16);
  --pa-chosen: rgba(213,94,0,.11);
  --pa-query: #D55E00;
  --pa-query-ink: #b34d00;
  --pa-rows: #6f9fc4;
  --pa-agree: #2a7f5f;
  color: var(--pa-ink); background: var(--pa-paper);
  font-family: var(--jp-ui-font-family, system-ui, -apple-system, "Segoe UI", sans-serif);
  font-size: 13px; border: 1px solid var(--pa-line); border-radius: 10px; overflow: hidden;
  padding: 0; }
[data-jp-theme-light="false"] .pyod-aspects { --pa-query-ink: #ff9a4d; --pa-agree: #4fb48f;
  --pa-chosen: rgba(255,140,60,.16); }
.pyod-aspects .jupyter-widgets { margin: 0; }
.pyod-aspects .widget-html, .pyod-aspects .widget-html-content,
.pyod-aspects .jupyter-widgets .widget-html-content { line-height: 1.45; font-size: 13px;
  width: 100%; overflow: visible; color: inherit; min-width: 0; }
.pyod-aspects p { margin: 0; }
.pyod-aspects :is(button, input, [tabindex]):focus-visible { outline: 2px solid #3d8fc7;
  outline-offset: -2px; border-radius: 5px; }

.pyod-aspects .pa-header { padding: 8px 16px; gap: 2px 12px;
  border-bottom: 1px solid var(--pa-line); align-items: center; }
.pyod-aspects .pa-running { gap: 10px; margin-left: auto; }
.pyod-aspects .pa-found b { font-size: 15px; margin-right: 4px; }
.pyod-aspects .pa-found span { color: var(--pa-soft); }
.pyod-aspects [role=status] { color: var(--pa-soft); text-align: right; font-size: 12px; }
.pyod-aspects .failed { display: block; border-left: 3px solid var(--pa-query); padding-left: 8px;
  color: var(--pa-ink); text-align: left; }
.pyod-aspects .progress { border-radius: 4px; height: 6px; min-height: 6px;
  background: var(--pa-hover); overflow: hidden; }
.pyod-aspects .pa-running .widget-hprogress { height: 6px; align-items: center; line-height: 0; }
.pyod-aspects .pa-beat .progress-bar { width: 30% !important;
  animation: pa-beat 1.4s ease-in-out infinite alternate; }
@keyframes pa-beat { from { margin-left: 0; } to { margin-left: 70%; } }

.pyod-aspects .jupyter-button, .pyod-aspects .pa-copy { font-family: inherit; box-shadow: none; }
.pyod-aspects .pa-quiet, .pyod-aspects .pa-copy { background: transparent; color: var(--pa-soft);
  border: 1px solid var(--pa-line); border-radius: 6px; font-size: 12px; padding: 0 10px;
  width: auto; height: 28px; line-height: 26px; cursor: pointer; }
.pyod-aspects .pa-quiet:hover:enabled, .pyod-aspects .pa-copy:hover { background: var(--pa-hover);
  color: var(--pa-ink); box-shadow: none; }
.pyod-aspects .pa-quiet:disabled { opacity: .45; }
.pyod-aspects .pa-fold::before { content: "▸"; content: "▸" / ""; margin-right: 5px; }
.pyod-aspects .pa-fold.pa-open::before { content: "▾"; content: "▾" / ""; }
.pyod-aspects .pa-bare { border-color: transparent; padding: 0 6px; }
.pyod-aspects .pa-link { border: 0; padding: 0 5px; height: 22px; line-height: 22px;
  color: var(--pa-ink); text-decoration: underline; text-decoration-color: var(--pa-line);
  text-underline-offset: 3px; }

.pyod-aspects .pa-settings { padding: 10px 16px 12px; gap: 8px; background: var(--pa-tint);
  border-bottom: 1px solid var(--pa-line); }
.pyod-aspects .pa-settings .widget-hbox, .pyod-aspects .pa-settings .pa-line { gap: 6px 16px; }
.pyod-aspects .widget-label, .pyod-aspects .jupyter-widgets label { color: var(--pa-soft);
  font-size: 12px; }
.pyod-aspects .widget-toggle-buttons { display: flex; flex-flow: row wrap; align-items: center;
  height: auto; }
.pyod-aspects .widget-toggle-buttons > label { margin-right: 6px; }
.pyod-aspects .widget-toggle-button { padding: 0 9px; margin: 1px; height: 26px;
  line-height: 26px; font-size: 12px; border-radius: 6px; color: var(--pa-soft);
  background: transparent; border: 1px solid var(--pa-line); }
.pyod-aspects .widget-toggle-button.mod-active { color: var(--pa-ink); font-weight: 600;
  background: var(--pa-chosen); border-color: var(--pa-query); box-shadow: none; }
.pyod-aspects input[type=number] { color: var(--pa-ink); background: transparent;
  border: 1px solid var(--pa-line); border-radius: 6px; height: 26px; font-size: 12px;
  font-family: inherit; }
.pyod-aspects .pa-find { border-radius: 6px; height: 28px; line-height: 28px; }

.pyod-aspects .pa-body { flex-flow: row wrap-reverse; align-items: stretch; }
.pyod-aspects .pa-left { padding: 8px 8px 12px; gap: 2px; background: var(--pa-tint);
  box-shadow: 1px 0 0 var(--pa-line), 0 -1px 0 var(--pa-line); }
.pyod-aspects .pa-right { padding: 12px 20px 14px; gap: 4px; }
.pyod-aspects .pa-cap { display: flex; justify-content: space-between; gap: 8px;
  text-transform: uppercase; letter-spacing: .04em; font-size: 11px; color: var(--pa-soft);
  padding: 6px 8px 3px 10px; }
.pyod-aspects .pa-cap span + span { text-transform: none; letter-spacing: 0; }

.pyod-aspects .pa-item { display: grid; position: relative; border-radius: 7px; overflow: hidden;
  border-left: 3px solid transparent; flex: 0 0 auto; }
.pyod-aspects .pa-item > * { grid-area: 1 / 1; min-width: 0; }
.pyod-aspects .pa-item > .jupyter-button { width: 100%; height: 100%; min-height: 28px;
  background: transparent; border: 0; border-radius: 5px; text-indent: -9999px;
  white-space: nowrap; overflow: hidden; z-index: 1; }
.pyod-aspects .pa-item > .jupyter-button:hover { background: var(--pa-hover); box-shadow: none; }
.pyod-aspects .pa-item.pa-chosen { background: var(--pa-chosen);
  border-left-color: var(--pa-query); }
.pyod-aspects .pa-face { display: flex; align-items: center; gap: 8px; padding: 4px 6px;
  min-height: 20px; }
.pyod-aspects .pa-face .pa-name { font-weight: 600; flex: 0 0 auto; min-width: 44px;
  max-width: 42%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pyod-aspects .pa-chosen .pa-face .pa-name { color: var(--pa-query-ink); }
.pyod-aspects .pa-face .pa-what { flex: 1 1 0; min-width: 0; overflow: hidden;
  color: var(--pa-soft); text-overflow: ellipsis; white-space: nowrap; }
.pyod-aspects .pa-face .pa-figure { flex: 0 0 auto; color: var(--pa-soft);
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.pyod-aspects .pa-row .pa-face { align-items: baseline; }
.pyod-aspects .pa-row .pa-said { flex: 1 1 0; min-width: 0; display: flex; flex-direction: column;
  line-height: 1.3; }
.pyod-aspects .pa-row .pa-what { flex: 0 0 auto; color: var(--pa-ink); }
.pyod-aspects .pa-row .pa-figure { font-size: 11px; white-space: normal; }
.pyod-aspects .pa-group { border: 1px solid var(--pa-line); border-left: 3px solid var(--pa-line);
  background: var(--pa-paper); margin-bottom: 4px; }
.pyod-aspects .pa-group .pa-what { color: var(--pa-ink); font-weight: 600; white-space: normal;
  line-height: 1.3; }
.pyod-aspects .pa-aspect .pa-face { align-items: baseline; flex-wrap: wrap; gap: 2px 10px; }
.pyod-aspects .pa-aspect .pa-place { flex: 0 0 14px; color: var(--pa-soft); font-size: 11px; }
.pyod-aspects .pa-aspect .pa-chips { flex: 0 1 auto; min-width: 104px; max-width: 100%; }
.pyod-aspects .pa-aspect .pa-what { flex: 1 1 260px; color: var(--pa-ink); white-space: normal; }
.pyod-aspects .pa-aspect .pa-weak { color: var(--pa-soft); }
.pyod-aspects .pa-aspect .pa-figure { margin-left: auto; }
.pyod-aspects .pa-chip { display: inline-block; background: var(--pa-hover); border-radius: 5px;
  padding: 0 7px; margin: 1px 4px 1px 0; max-width: 220px; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.pyod-aspects .pa-line { gap: 4px 6px; }
.pyod-aspects .pa-line > .widget-html { width: auto; }
.pyod-aspects .pa-pager { align-items: center; gap: 2px; padding: 2px 4px; color: var(--pa-soft);
  font-size: 12px; }
.pyod-aspects .pa-pager .widget-html { width: auto; flex: 1 1 auto; text-align: center; }

.pyod-aspects .pa-headline { font-size: 19px; line-height: 1.3; font-weight: 650;
  overflow-wrap: anywhere; letter-spacing: -.005em; }
.pyod-aspects .pa-long { font-size: 16px; }
.pyod-aspects .pa-also { font-size: 14px; line-height: 1.35; overflow-wrap: anywhere; }
.pyod-aspects .pa-sub { color: var(--pa-soft); }
.pyod-aspects .pa-subline { align-items: center; gap: 2px 14px; flex-flow: row wrap; }
.pyod-aspects .pa-subline .widget-html { width: auto; }
.pyod-aspects .pa-middle { flex-flow: row wrap; gap: 8px 20px; align-items: flex-start;
  padding: 4px 0 6px; }
.pyod-aspects .pa-picture svg { width: 100%; max-width: 620px !important; height: auto;
  display: block; }
.pyod-aspects .pa-facts { display: grid; gap: 12px 16px; padding-top: 6px;
  grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); }
.pyod-aspects .pa-fact { border-left: 3px solid var(--pa-line); padding: 1px 0 1px 12px; }
.pyod-aspects .pa-fact b { display: block; }
.pyod-aspects .pa-fact p { color: var(--pa-soft); overflow-wrap: anywhere; }
.pyod-aspects .pa-share { height: 6px; border-radius: 3px; background: var(--pa-hover);
  margin-top: 6px; overflow: hidden; }
.pyod-aspects .pa-below { color: var(--pa-soft); font-size: 11px; }
.pyod-aspects .pa-share i { display: block; height: 100%; border-radius: 3px;
  background: var(--pa-agree); }
.pyod-aspects .pa-links { flex-flow: row wrap; gap: 0 2px; padding-left: 10px; }
.pyod-aspects .pa-aspects { border-top: 1px solid var(--pa-line); padding-top: 6px; }
.pyod-aspects .pa-foot { flex-flow: row wrap; gap: 4px; padding-top: 4px; }
.pyod-aspects .pa-note { margin: 12px 0; font-size: 14px; max-width: 36em; color: var(--pa-soft); }
.pyod-aspects .pa-terms { color: var(--pa-soft); font-size: 12px; max-width: 60em;
  padding: 4px 8px; }
.pyod-aspects .pa-terms p { margin-bottom: 4px; }
.pyod-aspects pre.pa-code { margin: 6px 0; padding: 10px 12px; font-size: 12px; line-height: 1.5;
  font-family: var(--jp-code-font-family, ui-monospace, monospace);
  white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere; color: inherit;
  background: var(--pa-tint); border: 1px solid var(--pa-line); border-radius: 7px; }

.pyod-aspects .pa-scores svg { width: 100%; height: auto; display: block; }
.pyod-aspects .pa-scores .bars { fill: var(--pa-rows); }
.pyod-aspects .pa-scores .line { stroke: var(--pa-soft); stroke-width: 1; }
.pyod-aspects .pa-scores .others { fill: #E69F00; }
.pyod-aspects .pa-scores .chosen { fill: var(--pa-query); }
.pyod-aspects .pa-scores text { font-size: 11px; fill: var(--pa-soft); font-family: inherit; }
.pyod-aspects .pa-scores text.row { fill: var(--pa-query-ink); font-weight: 600; }
</style>"""
