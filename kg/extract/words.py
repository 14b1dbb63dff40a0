"""The closed word classes that candidates, cues and features share."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """The words of a blank-separated list."""
    return frozenset(words.split())


# Words that open, join or close phrases and never are part of a name by themselves.
FUNCTION = word_set(
    "a an the of in on at by for to from with without and or but nor as is are was were be been being it its "
    "this that these those we our us they their them he she i you your who whom whose which what when where "
    "why how if then than so such not no yes also however moreover furthermore additionally finally here there "
    "thus hence therefore while whereas although though because since after before during until unless despite "
    "both either neither each every all any some many most more less few several other another one two three "
    "four five six seven eight nine ten first second third last recent recently existing previous prior current "
    "currently given using use based via through across between among over under into onto within upon about "
    "against above below e.g i.e etc et al can could may might must shall should will would do does did have has "
    "had instead specifically especially particularly notably importantly experiments experiment experimental "
    "results result extensive empirical empirically theoretical theoretically code unlike inspired motivated "
    "building along consequently besides meanwhile nevertheless nonetheless similarly conversely together "
    "overall further still yet even just only very much well new novel proposed propose present presents "
    "introduce due towards toward per like unfortunately interestingly surprisingly crucially traditional "
    "traditionally conventional modern numerous various different key rather accordingly subsequently indeed let "
    "consider compared comparing concretely evaluation evaluations comprehensive central abstract figure table "
    "section finding findings contributions contribution main leveraging leverages drawing starting moving "
    "remarkably significantly ultimately later now today once whether aside according"
)
# Words that may join two capitalised parts of one name ("Labeled Faces in the Wild").
CONNECTORS = word_set("of in the and for to with on a by & from as an at or is you all need your")
# Lower-case nouns that end a named thing ("Adam optimizer", "Bradley-Terry model").
HEADS = word_set(
    "algorithm algorithms model models method methods sampling sampler decomposition factorization estimator "
    "estimators estimation process processes network networks machine machines tree trees forest forests descent "
    "ascent optimizer optimizers optimization transform transformer transformers loss losses kernel kernels "
    "regression inference mechanism filter filters filtering distance divergence normalization attention learning "
    "search iteration matching score scores flow flows gradient gradients embedding embeddings code codes dataset "
    "datasets benchmark benchmarks corpus corpora framework frameworks library compiler distillation equation "
    "bound test statistic tuning adaptation averaging propagation guidance dynamics diffusion ensemble policy "
    "critic planning proof scheme approximation expansion clustering projection trick module modules layer layers "
    "architecture architectures agent agents solver system systems simulator environment environments suite "
    "challenge competition database index prompting decoding pooling representation features regularization "
    "regularizer prior priors game tasks task collection tests family series"
)
PROPOSE = word_set(
    "propose proposes proposed proposing introduce introduces introduced introducing present presents presented "
    "presenting develop develops developed developing design designs designed devise devises devised call calls "
    "called term termed name named naming dub dubbed coin coined denoted denote formulate formulates offer offers "
    "establish contribute contributes release releases released unveil unveils"
)
NAMING = word_set("called named dubbed termed call name dub term denoted coined namely")
RELEASE = word_set(
    "release releases released build builds built construct constructs constructed collect collected create "
    "creates created curate curates curated present presents introduce introduces contribute propose assemble "
    "compile compiled annotate annotated provide publish"
)
EVALUATE = word_set(
    "experiments experiment evaluate evaluated evaluating evaluation evaluations results tested trained train "
    "demonstrate demonstrates show shows benchmarks datasets dataset benchmark performance accuracy tasks validate "
    "validated outperforms outperform achieves achieve improves state-of-the-art"
)
SUBJECT_OF_RESULT = word_set(
    "outperforms outperform outperforming achieves achieve achieving improves improve surpasses surpass reduces "
    "obtains yields attains enables leverages consists uses combines employs learns is exhibits can provides "
    "introduces demonstrates generates performs incorporates integrates delivers exceeds addresses allows "
    "significantly consistently does also trains operates first"
)
SUCH = word_set("as like including e.g versus vs over than")
EMPLOY = word_set(
    "using use uses used apply applied applying adopt based extends extend extending via with employ employs "
    "leverage leveraging fine-tune fine-tuned fine-tuning finetuned training train trained tune prompt prompting"
)
# Nouns that say "data set" beside a name, in the wide and the narrow sense.
DATA_NOUNS = word_set(
    "dataset datasets benchmark benchmarks corpus corpora challenge challenges database databases testbed "
    "leaderboard suite treebank environments environment simulator task tasks data domains domain games game "
    "collection collections split splits test"
)
DATA_NARROW = word_set(
    "dataset datasets data-set data-sets benchmark benchmarks benchmarking corpus corpora challenge database "
    "databases testbed leaderboard suite treebank environment environments simulator playground gym arena "
    "resource collection competition"
)
METHOD_NOUNS = word_set(
    "algorithm algorithms model models method methods framework frameworks architecture architectures loss "
    "network networks estimator optimizer optimizers encoder backbone backbones module policy sampler layer "
    "layers baseline baselines approach pipeline agent agents system library tool toolkit classifier solver "
    "detector decoder language transformer transformers llm llms vlm vlms family"
)
CONTAINS = word_set(
    "contains comprises comprising consists includes containing consisting spans covers features provides spanning"
)
PREPOSITIONS = word_set("for of to that which on with in from by via using through where whose and")
# Words a naming verb may be followed by before the name itself.
BEFORE_NAME = word_set(
    "a an the our new novel simple yet effective efficient general generic unified principled first so-called "
    "flexible lightweight powerful fast and robust scalable practical innovative fully two-stage end-to-end "
    "concept notion class family technique method framework approach algorithm model termed called named as it "
    "this of"
)
# Words that before a named technique make the name of another one ("smoothed GDA", "random-walk Metropolis").
MODIFIERS = word_set(
    "accelerated adaptive alternating annealed asynchronous averaging away-step blended block-coordinate causal "
    "conditional conservative constrained continuous convolutional coordinate decentralized decoupled deep "
    "deformable differentiable discrete distributed double doubly-robust dual dynamic entropic equivariant "
    "extended federated fitted fuzzy generalized graph hierarchical high-order iterated iterative interactive "
    "kernel kernelized lazy linear local low-rank masked matrix mirror momentum multi-agent multi-head multi-task "
    "natural nested nonlinear non-negative offline online optimistic parallel partial penalized periodic perturbed "
    "point-to-plane point-to-point pairwise preconditioned primal primal-dual private projected proximal quantile "
    "quantized quantum randomized random-walk recursive regularized relativistic residual reversible robust "
    "self-normalized self-supervised semi-supervised sequential signed smoothed soft sparse spectral stochastic "
    "structured supervised tabular temporal top-two top-k truncated twin unscented unsupervised variational "
    "vectorized visual weighted zeroth-order normalized"
)
MACRO_NAMES = word_set(
    "alg algo algname algoname algorithm method methodname ourmethod methodabbr name ourname model modelname "
    "ourmodel sys sysname system systemname ours our framework frameworkname approach ourapproach dataset "
    "datasetname data bench benchmark benchname benchmarkname tool toolname project title acronym papername "
    "mymethod mymodel shortname methodshort themethod"
)
