"""Tables for conversations: tables.py DIR."""
import json
import os
import sys

folder = sys.argv[1]
EMPTY = ["\"\"", ""]
os.makedirs(os.path.join(folder, "sub"))


def put(name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


put("rows.csv", "id,zip,price,version,share,text,empty,large,day,at,ok,\"odd \"\"name\"\"\"\n" + "".join(
    f"{i},{i:05d},{i}.50,1.{i % 20},{i / 8},\"a, \"\"b\"\"\nc{i % 7}\",{EMPTY[i % 2]},{2**53 + i},2024-01-{i % 28 + 1:02d},"
    f"2024-01-02 03:04:{i % 60:02d},{'true' if i % 3 else 'false'},x\n" for i in range(1000)))
put("sub/chat.jsonl", "".join(json.dumps(
    {"id": i, "share": i / 4, "text": f"00{i}", "messages": [{"role": "user", "content": f"h\u00e9 {i}"}], "mixed": i if i % 2 else "x",
     "none": None, "ok": i % 2 == 0, "turned": {"a": 1, "b": 2} if i % 2 else {"b": 2, "a": 1}, **({"late": 1} if i == 999 else {})},
    ensure_ascii=False) + "\n" for i in range(1000)))
put("a[1]*.csv", "a\n" + "".join(f"{i}\n" for i in range(3000)))
put("comments.csv", "a,b\n" + "#1,2\n1,2\n" * 500)
put("more.csv", "a,b\n1,2\n3,4,5\n" + "1,2\n" * 500)
put("semicolons.csv", "a;b\n" + "1;2\n" * 500)
put("cut.jsonl", "{\"a\": 1}\n" * 500 + "{\"a\":")
put("small.tsv", "a\tb\n1\t2\n")
put("rows.parquet", "of another program\n")
put("README.md", "notes\n")
