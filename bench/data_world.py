"""data_world.py FOLDER [SHARE]: a data set of 12,000 files, 1.2 GB, or that share of it: pictures with captions, annotations, arrays
of numbers, and texts. Pictures are noise after their head, as compressed files are; texts are words by how often they are used."""
import os
import random
import sys

draw = random.Random(40)
WORDS = ["".join(draw.choice("etaoinshrdlcumwfgypbvk") for _ in range(draw.randint(2, 9))) for _ in range(20000)]
WEIGHTS = [sum(1 / (rank + 2) for rank in range(count)) for count in range(1, len(WORDS) + 1)]


def text(size):
    """At least `size` bytes of lines with twelve words."""
    words = draw.choices(WORDS, cum_weights=WEIGHTS, k=size // 6 + 12)
    return "\n".join(" ".join(words[i:i + 12]) for i in range(0, len(words), 12)).encode()[:size]


def numbers(count):
    """Floats of four bytes, as weights and features are: their high bytes are alike."""
    noise = bytearray(draw.randbytes(4 * count))
    noise[3::4] = bytes(draw.choices((0x3b, 0x3c, 0x3d, 0xbb, 0xbc, 0xbd), k=count))
    return bytes(noise)


def main(folder, share):
    def write(name, content):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    head = b"\xff\xd8\xff\xe0\0\x10JFIF" + draw.randbytes(600)
    for i in range(int(3900 * share)):
        name = f"images/{i % 40:02}/{i:05}"
        write(name + ".jpg", head + draw.randbytes(int(draw.lognormvariate(12.3, 0.5))))
        write(name + ".txt", text(draw.randint(100, 600)))
    for i in range(int(4090 * share)):
        write(f"annotations/{i:05}.json", text(draw.randint(500, 8000)))
    for i in range(int(100 * share)):
        write(f"features/{i:03}.npy", numbers(100000))
    for i in range(int(10 * share)):
        write(f"text/part-{i}.jsonl", text(12000000))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1)
