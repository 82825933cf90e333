"""Questions to an explainer, and the explanations that answer them."""
