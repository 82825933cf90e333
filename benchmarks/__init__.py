"""Measurements of the speed and memory of pyod_aspects: python -m benchmarks.

Machines differ and so do runs, so nearly every figure is a ratio of two things timed in turns in
the same run. `rows` holds the measurements, `paper_way` and `kernel_shap` the competitors, `tables`
the data.
"""
