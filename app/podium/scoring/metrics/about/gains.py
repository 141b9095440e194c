"""The pages of cumulative gain: discounted or not, normalized or not, linear or exponential."""

from __future__ import annotations

from podium.scoring.metrics.about.description import (
    MEAN,
    OF_CANDIDATES,
    OF_MEAN,
    OF_RELEVANCES,
    UP_TO_1,
    AboutMetric,
    cases_of_lists,
)
from podium.scoring.metrics.about.examples import Answer, example_of_lists

FAMILY = "Graded relevance"

_ANSWER: Answer = ([1, 9, 3, 4], {1: 2, 3: 3, 4: 2})

_LINEAR = "DCG: 2/log2(2) + 0/log2(3) + 3/log2(4) + 2/log2(5) = 2 + 0 + 1.5 + 0.86135 = 4.36135"
_EXPONENTIAL = (
    "DCG: gains 2² − 1 = 3, 0, 2³ − 1 = 7 and 3: 3/1 + 0 + 7/2 + 3/2.32193 = 3 + 3.5 + 1.29203"
    " = 7.79203"
)
_IDEAL = "change nothing, as the ideal list has the highest of them, and is cut to K as well."
_SHORT = "gain nothing at the missing places; the ideal list is not shortened for them."
_NO_BOUND = "0 or more; higher is better. What a perfect list reaches depends on the labels."
_UNBOUNDED = (
    f"{MEAN} Queries with many or highly relevant labels weigh more, as nothing is normalized."
)

NDCG = AboutMetric(
    key="ndcg",
    family=FAMILY,
    title="Normalized discounted cumulative gain (NDCG@K)",
    tex=(
        r"\frac{\text{DCG}}{\text{IDCG}},"
        r" \quad \text{DCG} = \sum_{i=1}^{K} \frac{rel_i}{\log_2(i + 1)}"
    ),
    symbols=f"{OF_RELEVANCES} IDCG is the DCG of the relevances in descending order.",
    definition=(
        "The relevances of the list, each discounted by the logarithm of its rank, as a share of"
        " what the ideal list would gain. Take it where relevance has degrees or where the whole"
        " order of the first K matters. Without relevances every label counts 1."
    ),
    example=example_of_lists(
        "ndcg@4",
        _ANSWER,
        steps=(
            _LINEAR,
            "IDCG, of 3, 2, 2: 3/log2(2) + 2/log2(3) + 2/log2(4) = 3 + 1.26186 + 1 = 5.26186",
            "4.36135 / 5.26186 = 0.82886",
        ),
        value=0.82886,
    ),
    cases=(*cases_of_lists(short=_SHORT, many=_IDEAL), OF_CANDIDATES),
    average=MEAN,
    value_range=UP_TO_1,
    standard_error=OF_MEAN,
    used_by=(
        "MIND and EB-NeRD (RecSys Challenge 2024), K = 5 and 10, over impressions",
        "MovieLens in textbooks and papers, K = 10",
    ),
    elsewhere=(
        ("trec_eval", "ndcg_cut_K"),
        ("ir_measures", "nDCG@K"),
        ("scikit-learn", "ndcg_score(k); it averages over ties of its scores"),
        ("ranx", "ndcg@K"),
        ("RecTools", "NDCG(k, divide_by_achievable=True), binary relevance"),
        ("implicit", "ndcg_at_k, binary relevance"),
        ("RecBole", "NDCG, binary relevance"),
        ("torchmetrics", "RetrievalNormalizedDCG(top_k)"),
    ),
    relatives=(
        ("ndcg_exp", "gains 2^relevance − 1; with relevance 0 or 1 both are equal."),
        (
            "RecTools' NDCG(k)",
            "by default divides by the gain of K hits, also where a query has fewer labels.",
        ),
        (
            "Microsoft Recommenders' ndcg_at_k",
            "by default is binary; its natural logarithm cancels out.",
        ),
        ("dcg", "is not normalized."),
    ),
)

NDCG_EXPONENTIAL = AboutMetric(
    key="ndcg_exp",
    family=FAMILY,
    title="NDCG with exponential gain (NDCG@K, 2^rel − 1)",
    tex=(
        r"\frac{\text{DCG}}{\text{IDCG}},"
        r" \quad \text{DCG} = \sum_{i=1}^{K} \frac{2^{rel_i} - 1}{\log_2(i + 1)}"
    ),
    symbols=f"{OF_RELEVANCES} IDCG is the DCG of the relevances in descending order.",
    definition=(
        "NDCG whose gain grows exponentially with the relevance, so that one excellent item"
        " outweighs several fair ones. It is the usual form of learning to rank. Take it for"
        " relevances from 0 to about 5; larger ones drown all others."
    ),
    example=example_of_lists(
        "ndcg_exp@4",
        _ANSWER,
        steps=(
            _EXPONENTIAL,
            "IDCG, of 3, 2, 2: 7/1 + 3/1.58496 + 3/2 = 7 + 1.89279 + 1.5 = 10.39279",
            "7.79203 / 10.39279 = 0.74975",
        ),
        value=0.74975,
    ),
    cases=(*cases_of_lists(short=_SHORT, many=_IDEAL), OF_CANDIDATES),
    average=MEAN,
    value_range=UP_TO_1,
    standard_error=OF_MEAN,
    used_by=("MercadoLibre Data Challenge 2020", "Papers on learning to rank"),
    elsewhere=(
        ("ranx", "ndcg_burges@K"),
        ("ir_measures", "nDCG(dcg='exp-log2')@K"),
        ("XGBoost", "ndcg@K, with ndcg_exp_gain, the default"),
        ("LightGBM", "ndcg@K, with the default label_gain"),
        ("PyTorch-Ignite", "NDCG(top_k, gain_function='exp_rank'), the default"),
    ),
    relatives=(
        ("ndcg", "gains the relevance itself; with relevance 0 or 1 both are equal."),
        ("dcg_exp", "is not normalized."),
    ),
)

DCG = AboutMetric(
    key="dcg",
    family=FAMILY,
    title="Discounted cumulative gain (DCG@K)",
    tex=r"\sum_{i=1}^{K} \frac{rel_i}{\log_2(i + 1)}",
    symbols=OF_RELEVANCES,
    definition=(
        "The sum of the relevances of the first K items, each divided by the logarithm of its"
        " rank. It is not normalized: take it where a relevance is an amount, such as a margin, and"
        " the total matters."
    ),
    example=example_of_lists("dcg@4", _ANSWER, steps=(_LINEAR,), value=4.36135),
    cases=cases_of_lists(short="gain nothing at the missing places.", many="do no harm."),
    average=_UNBOUNDED,
    value_range=_NO_BOUND,
    standard_error=OF_MEAN,
    used_by=("Papers on information retrieval, mostly as a step towards NDCG",),
    elsewhere=(("scikit-learn", "dcg_score(k)"), ("ranx", "dcg@K")),
    relatives=(
        ("ndcg", "divides by the DCG of the ideal list."),
        ("The DCG of 2000", "discounts from rank 3 on only; this one discounts from rank 2 on."),
    ),
)

DCG_EXPONENTIAL = AboutMetric(
    key="dcg_exp",
    family=FAMILY,
    title="DCG with exponential gain (DCG@K, 2^rel − 1)",
    tex=r"\sum_{i=1}^{K} \frac{2^{rel_i} - 1}{\log_2(i + 1)}",
    symbols=OF_RELEVANCES,
    definition=(
        "Discounted cumulative gain with the gain 2^relevance − 1, which tells high relevances"
        " further apart. The − 1 is not optional: without it irrelevant items would gain. It is not"
        " normalized."
    ),
    example=example_of_lists("dcg_exp@4", _ANSWER, steps=(_EXPONENTIAL,), value=7.79203),
    cases=cases_of_lists(short="gain nothing at the missing places.", many="do no harm."),
    average=_UNBOUNDED,
    value_range=_NO_BOUND,
    standard_error=OF_MEAN,
    used_by=("Papers on learning to rank, mostly as a step towards NDCG",),
    elsewhere=(("ranx", "dcg_burges@K"),),
    relatives=(
        ("dcg", "gains the relevance itself; with relevance 0 or 1 both are equal."),
        ("ndcg_exp", "divides by the value of the ideal list."),
    ),
)

CUMULATIVE_GAIN = AboutMetric(
    key="cg",
    family=FAMILY,
    title="Cumulative gain (CG@K)",
    tex=r"\sum_{i=1}^{K} rel_i",
    symbols=OF_RELEVANCES,
    definition=(
        "The sum of the relevances of the first K items. Neither the order within them nor the"
        " number of labels matters. Take it where relevances are amounts and all K places are seen"
        " alike."
    ),
    example=example_of_lists(
        "cg@4",
        _ANSWER,
        steps=("Items 1, 9, 3 and 4 have relevance 2, 0, 3 and 2: 2 + 0 + 3 + 2 = 7",),
        value=7.0,
    ),
    cases=cases_of_lists(short="gain nothing at the missing places.", many="do no harm."),
    average=_UNBOUNDED,
    value_range=_NO_BOUND,
    standard_error=OF_MEAN,
    used_by=("Introductions to NDCG",),
    elsewhere=(),
    relatives=(
        ("dcg", "discounts each relevance by its rank."),
        ("precision", "is CG without relevances, divided by K."),
    ),
)

PAGES = (NDCG, NDCG_EXPONENTIAL, DCG, DCG_EXPONENTIAL, CUMULATIVE_GAIN)
