"""What pyod_aspects promises about speed and memory, measured: python -m benchmarks.

Machines differ and so do runs, so nearly every figure is a ratio of two things timed in turns in
the same run. `rows` holds the measurements, `paper_way` and `kernel_shap` what is
compared with, `tables` what it is measured on.
"""
