"""Training of the model that `kg.extract` ships: `python -m kg.extract.train --data ../shared/data`.

Needs scikit-learn, scipy and lightgbm; nothing at run time does.
"""
