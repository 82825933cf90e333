"""Style sheet of the page, for light and dark screens, telephones and paper."""

STYLE = """
:root { --ink: #1a2230; --soft: #566276; --desk: #eef1f6; --paper: #ffffff; --line: #dfe4ec;
  --tint: #f6f8fb; --chip: #e8edf4; --link: #1d5a8a; --query: #b5470b; --query-tint: #fff3ec;
  --good: #2f6f4f; --bar: #e3c3b5; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e5e9ef; --soft: #a3aebd; --desk: #101419; --paper: #191f27; --line: #303a47;
    --tint: #1f2731; --chip: #2b3644; --link: #84bde4; --query: #ff9d61; --query-tint: #33231a;
    --good: #6cc095; --bar: #5b4034; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1.2rem 1.2rem 3rem; max-width: 84rem; color: var(--ink);
  background: var(--desk); font-size: 15px; line-height: 1.45; overflow-wrap: break-word;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0; }
h3 { font-size: 1rem; line-height: 1.4; margin: 0; }
p { margin: .3rem 0 0; }
a { color: var(--link); }
figure { margin: 0; min-width: 0; }
figcaption { color: var(--soft); font-size: .87rem; }
svg { display: block; margin: 0 auto; }
svg text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
  sans-serif !important; }
.soft { color: var(--soft); }
.count { color: var(--soft); font-weight: 400; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.chip { display: inline-block; max-width: 100%; background: var(--chip); border-radius: .35rem;
  padding: 0 .45rem; margin: .05rem 0; }
.bar { display: block; height: 6px; border-radius: 3px; background: var(--bar); margin-top: .3rem;
  overflow: hidden; }
.below { display: block; font-size: .8rem; }
.bar i { display: block; height: 100%; background: var(--good); }
.panel { background: var(--paper); border: 1px solid var(--line); border-radius: .7rem;
  padding: 1rem 1.2rem 1.1rem; margin: 0 0 1rem; }
.panel > h2 { margin: 0 0 .6rem; }
.top p { color: var(--soft); }

.common { display: grid; gap: 1rem 2rem; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
.groups { list-style: none; margin: 0; padding: 0; display: grid; gap: .4rem;
  align-content: start; }
.groups a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem;
  color: inherit; text-decoration: none; border: 1px solid var(--line); border-radius: .5rem;
  padding: .4rem .7rem; background: linear-gradient(var(--query-tint), var(--query-tint))
  no-repeat 0 0 / var(--share, 0%) 100%; }
.groups a:hover, .groups a:focus-visible { border-color: var(--query); }
.groups + .facts { margin-top: 1rem; }
.groups b { font-weight: 600; min-width: 0; }
.wall { display: grid; gap: 1rem; margin-top: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
.wall figcaption { text-align: center; }
.wall a { color: inherit; text-decoration: none; }
.wall a:hover, .wall a:focus-visible { text-decoration: underline; }
.facts { margin: 0; display: grid; gap: .6rem 1.2rem; align-content: start;
  grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
.facts > div { border-left: 3px solid var(--line); padding: .05rem 0 .05rem .8rem; min-width: 0; }
.facts dt { font-weight: 600; }
.facts dd { margin: 0; color: var(--soft); }

.group > h2 { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; }
.group > h2 .soft { margin-left: auto; font-size: .87rem; font-weight: 400; padding-right: .3rem; }
.row { border-top: 1px solid var(--line); }
.row:first-child { border-top: 0; }
.row > summary { display: grid;
  grid-template-columns: 1rem minmax(4.2rem, auto) minmax(0, 1fr) auto;
  gap: 0 .6rem; align-items: baseline; padding: .35rem .3rem; cursor: pointer; list-style: none;
  border-radius: .4rem; }
.row > summary::-webkit-details-marker { display: none; }
.row > summary::before { content: "\\25B8"; color: var(--soft); font-size: .8em; }
.row[open] > summary::before { content: "\\25BE"; }
.row > summary:hover { background: var(--tint); }
.row:target > summary { background: var(--query-tint); }
.row h3 { display: contents; font-weight: 400; }
.row .id { font-weight: 650; color: var(--query); }
.row .say { min-width: 0; }
.row[open] .say { font-weight: 600; }
.also { display: block; font-size: .93rem; }
.row[open] .say .also { font-weight: 400; }
#unsure .say { font-weight: 400; }
.card { display: grid; gap: .6rem 1.4rem; padding: .2rem .3rem .8rem .9rem;
  grid-template-columns: minmax(0, 1fr); align-items: start; }
.card.pictured { grid-template-columns: minmax(0, 25.5rem) minmax(13rem, 1fr); }
.card > .wide { grid-column: 1 / -1; }
.more > summary { cursor: pointer; color: var(--soft); font-size: .92rem; }
.aspects { list-style: none; margin: .3rem 0 0; padding: 0; font-size: .93rem; }
.aspects li { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 5fr) minmax(0, 3fr);
  gap: 0 1rem; padding: .25rem 0; border-top: 1px solid var(--line); }
.aspects li > :last-child { color: var(--soft); text-align: right; }
.notes { color: var(--soft); }
.notes h2 + h3, .notes h2 + p { margin-top: .3rem; }
.notes p + h2 { margin-top: 1.2rem; }
.common figure { margin-bottom: .9rem; }
.notes h3 { color: var(--ink); margin-top: .9rem; }
.notes dl { margin: .3rem 0 0; }
.notes .name { word-break: break-word; }

@media screen and (max-width: 62rem) {
  .common { grid-template-columns: minmax(0, 1fr); }
  .common > :last-child { display: grid; gap: 0 1.5rem;
    grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
}
@media screen and (max-width: 44rem) {
  body { padding: .5rem .5rem 2rem; }
  .panel { padding: .8rem .8rem .9rem; border-radius: .5rem; }
  h1 { font-size: 1.25rem; }
  .wall { display: flex; overflow-x: auto; } /* one beside the other, to be moved by a finger */
  .wall figure { flex: 0 0 min(24rem, 88%); }
  .common, .card.pictured { grid-template-columns: minmax(0, 1fr); }
  .row > summary { grid-template-columns: .8rem minmax(0, 1fr) auto; }
  .row > summary .say { grid-column: 2 / -1; grid-row: 2; }
  .card { padding-left: .3rem; }
  .aspects li { grid-template-columns: minmax(0, 1fr); }
  .aspects li > :last-child { text-align: left; }
}
@media print {
  @page { margin: 13mm; }
  :root { --desk: #ffffff; --tint: #ffffff; font-size: 8.5pt; }
  body { padding: 0; max-width: none; font-size: 1rem; }
  .panel { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .7rem 0; }
  .wall { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .card.pictured { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  figure, .row > summary, .facts > div, .aspects li { break-inside: avoid; }
  h2, .row[open] > summary { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
"""
