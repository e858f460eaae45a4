"""How wrong is the classifier, really? The verb and what its report is made of."""
