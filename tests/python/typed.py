"""What a program may write, for a type checker: test_types.py has pyright read it. It is not run."""
import datetime
import decimal
import pathlib
from typing import Any, Dict, List, Optional

import stint
from stint import callbacks, trackers

# ---- operations: values as they are typed, and Python's own ----
plan = stint.plan("llama-2-7b", method="lora", tokens="25M", budget="100usd")
best = plan.plans[0]
hours: Optional[float] = best.hours
cost: Optional[stint.Money] = best.cost
offer: Optional[str] = best.offer
if best.hours is not None and best.cost is not None:
    low: Optional[float] = best.hours.low
    twice: float = best.hours * 2
    amount: decimal.Decimal = best.cost.amount
    print(f"{best.hours:.1f} h, {float(best.cost):.2f} {best.cost.currency}")
svg: Optional[str] = plan.figure()
text: Optional[str] = plan.text()
print(plan.to_pandas(), plan.plans.to_pandas(all_columns=True), plan.to_dict())
stint.plan(["gpt2", {"train": {"model": "bert-base"}}], tokens="1M")
stint.estimate({"train": {"model": "gpt2"}}, on="T4", tokens="1M", set={"sequence": 512})
stint.price_compare("H100x8", hours=24)
stint.price_compare("H100x8", hours="24h", provider=["aws", "gcp"])
stint.price_compare("H100", hours=datetime.timedelta(days=1))
stint.runs(since="yesterday", tag={"team": "nlp"})
stint.runs(since=datetime.date(2026, 1, 1))
stint.import_([pathlib.Path("bill.csv")])
stint.import_(pathlib.Path("bill.csv"))
stint.budget_set("nlp", stint.Money("100", "USD"))
stint.example(["lora"], output="jobs")
sums: List[stint.Money] = [run.cost for run in stint.runs().runs if run.cost]
first = stint.call("price.compare", {"gpu": "H100x8", "hours": 24})
try:
    stint.gpu_show("H1000")
except stint.NotFoundError as error:
    status: int = error.status
    hint: Optional[str] = error.hint

# ---- runs ----
with stint.run(budget="$5", price="$2.49/hr") as r:
    for step in range(10):
        logged: bool = r.log(step=step, loss=0.5)
    spent: Optional[stint.Money] = r.cost
    stopping: bool = r.stop_requested
ended = stint.run(["python", "train.py"], budget=decimal.Decimal("5"), price="$2.49/hr")
state: Optional[str] = ended.state


@stint.metered(budget="$2", price="$2.49/hr")
def evaluate(model: str) -> int:
    return len(model)


@stint.metered
def plain(model: str) -> int:
    return len(model)


answer: int = evaluate("x") + plain("y")


async def serve() -> None:
    async with stint.run(budget="$1"):
        pass


# ---- training ----
loop = stint.steps([1, 2, 3], epochs=3, save=lambda: None)
for batch in loop:
    number: int = batch
    loop.log(loss=0.5)
callbacks.HuggingFace()
callbacks.Lightning()
callbacks.Keras(save_dir="out")
tracker = callbacks.Accelerate()
if tracker.should_stop():
    tracker.saved("out")
engine = callbacks.DeepSpeed(object(), save_dir="out")
engine.log(loss=0.5)
print(engine.should_stop, stint.Meter())


# ---- trackers ----
class Mine:
    def write(self, points: List[trackers.Point], summary: Dict[str, str]) -> None: ...
    def finish(self, point: trackers.Point, summary: Dict[str, str]) -> None: ...
    def close(self) -> None: ...


tracking = trackers.start(to=["mlflow", "tensorboard:logs"])
tracking.step(3)
tracking.close()
counts: int = tracking.sent + tracking.dropped
trackers.start(to="mlflow", every=5)
trackers.start(to=trackers.TensorBoard("logs"), run="last")
trackers.start(to=[Mine(), "wandb", trackers.MLflow("http://localhost:5000", run_id="r")])
with trackers.start(to="wandb") as block:
    block.step(1)
points: int = trackers.send("last", to=["mlflow"])


def extension(shell: Any) -> None:
    stint.load_ipython_extension(shell)
