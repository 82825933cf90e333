"""Every way to write an explanation: words, sentences, text, HTML, a DataFrame, JSON."""
