"""Computes precision, recall, F1 and the Jaccard index of sets of labels, each with three
averages."""

from __future__ import annotations

from typing import ClassVar

from podium.scoring.metrics.rows.label_sets.sets import (
    F1OfSets,
    JaccardOfSets,
    Macro,
    Micro,
    PrecisionOfSets,
    RecallOfSets,
    Samples,
)


class PrecisionMicro(Micro, PrecisionOfSets):
    """Right labels / all labels that are answered, over all rows together.

    Of a, b and c, which are answered, a and c are true: 2/3.

    >>> round(PrecisionMicro().example_value(["a", "c d"], ["a b", "c"]), 3)
    0.667
    """

    key: ClassVar[str] = "precision_micro"
    formula: ClassVar[str] = "right labels / answered labels, over all rows together"
    source: ClassVar[str] = "scikit-learn precision_score, average micro"


class PrecisionMacro(Macro, PrecisionOfSets):
    """The mean over labels of right answers / answers of the label.

    Labels are those of the truth and those that are answered in the split; one that is never
    answered counts as 0. a: 1/2, b: 1/1.

    >>> PrecisionMacro().example_value(["a b", "b"], ["a", "a b"])
    0.75
    """

    key: ClassVar[str] = "precision_macro"
    formula: ClassVar[str] = "mean over labels of right answers / answers of the label"
    source: ClassVar[str] = "scikit-learn precision_score, average macro"


class PrecisionSamples(Samples, PrecisionOfSets):
    """The mean over rows of right labels / answered labels; 0 where none is answered.

    Of a b one is right, c is: (1/2 + 1) / 2.

    >>> PrecisionSamples().example_value(["a", "c d"], ["a b", "c"])
    0.75
    """

    key: ClassVar[str] = "precision_samples"
    formula: ClassVar[str] = "mean over rows of right labels / answered labels"
    source: ClassVar[str] = "scikit-learn precision_score, average samples"


class RecallMicro(Micro, RecallOfSets):
    """Right labels / all labels that are true, over all rows together.

    Of a, c and d, which are true, a and c are answered: 2/3.

    >>> round(RecallMicro().example_value(["a", "c d"], ["a b", "c"]), 3)
    0.667
    """

    key: ClassVar[str] = "recall_micro"
    formula: ClassVar[str] = "right labels / true labels, over all rows together"
    source: ClassVar[str] = "scikit-learn recall_score, average micro"


class RecallMacro(Macro, RecallOfSets):
    """The mean over labels of right answers / rows of which the label is true.

    Labels are those of the truth and those that are answered in the split; one that is answered and
    nowhere true counts as 0. a: 1/1, b: 1/2.

    >>> RecallMacro().example_value(["a b", "b"], ["a", "a b"])
    0.75
    """

    key: ClassVar[str] = "recall_macro"
    formula: ClassVar[str] = "mean over labels of right answers / rows of the label"
    source: ClassVar[str] = "scikit-learn recall_score, average macro"


class RecallSamples(Samples, RecallOfSets):
    """The mean over rows of right labels / true labels; 0 where none is true.

    a is found, of c d one is: (1 + 1/2) / 2.

    >>> RecallSamples().example_value(["a", "c d"], ["a b", "c"])
    0.75
    """

    key: ClassVar[str] = "recall_samples"
    formula: ClassVar[str] = "mean over rows of right labels / true labels"
    source: ClassVar[str] = "scikit-learn recall_score, average samples"


class F1Micro(Micro, F1OfSets):
    """2 TP / (2 TP + FP + FN) of the sums over all labels.

    Two right labels, one wrong, one missed: 4/6.

    >>> round(F1Micro().example_value(["a", "c d"], ["a b", "c"]), 3)
    0.667
    """

    key: ClassVar[str] = "f1_micro"
    formula: ClassVar[str] = "2 TP / (2 TP + FP + FN) of the sums over labels"
    source: ClassVar[str] = "scikit-learn f1_score, average micro"


class F1Macro(Macro, F1OfSets):
    """The plain mean over labels of 2 TP / (2 TP + FP + FN).

    Labels are those of the truth and those that are answered in the split. a: 2/3, b: 2/3.

    >>> round(F1Macro().example_value(["a b", "b"], ["a", "a b"]), 3)
    0.667
    """

    key: ClassVar[str] = "f1_macro"
    formula: ClassVar[str] = "mean over labels of 2 TP / (2 TP + FP + FN)"
    source: ClassVar[str] = "scikit-learn f1_score, average macro"


class F1Samples(Samples, F1OfSets):
    """The mean over rows of 2 · right labels / (true + answered labels); 0 where there is none.

    2/3 in both rows.

    >>> round(F1Samples().example_value(["a", "c d"], ["a b", "c"]), 3)
    0.667
    """

    key: ClassVar[str] = "f1_samples"
    formula: ClassVar[str] = "mean over rows of 2 · right labels / (true + answered labels)"
    source: ClassVar[str] = "scikit-learn f1_score, average samples"


class JaccardMicro(Micro, JaccardOfSets):
    """Right labels / labels that are true or answered, over all rows together.

    Two right labels, one wrong, one missed: 2/4.

    >>> JaccardMicro().example_value(["a", "c d"], ["a b", "c"])
    0.5
    """

    key: ClassVar[str] = "jaccard_micro"
    formula: ClassVar[str] = "right labels / labels that are true or answered, over all rows"
    source: ClassVar[str] = "Jaccard 1912; scikit-learn jaccard_score, average micro"


class JaccardMacro(Macro, JaccardOfSets):
    """The mean over labels of rows that have it rightly / rows of which it is true or answered.

    Labels are those of the truth and those that are answered in the split. a: 1/2, b: 1/2.

    >>> JaccardMacro().example_value(["a b", "b"], ["a", "a b"])
    0.5
    """

    key: ClassVar[str] = "jaccard_macro"
    formula: ClassVar[str] = "mean over labels of right answers / rows where it is true or answered"
    source: ClassVar[str] = "Jaccard 1912; scikit-learn jaccard_score, average macro"


class JaccardSamples(Samples, JaccardOfSets):
    """The mean over rows of right labels / labels that are true or answered; 0 where there is none.

    1/2 in both rows.

    >>> JaccardSamples().example_value(["a", "c d"], ["a b", "c"])
    0.5
    """

    key: ClassVar[str] = "jaccard_samples"
    formula: ClassVar[str] = "mean over rows of right labels / labels that are true or answered"
    source: ClassVar[str] = "Jaccard 1912; scikit-learn jaccard_score, average samples"
