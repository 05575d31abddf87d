"""Makes inter-labels.ttf: Inter Medium as plain TrueType with the Latin letters, for labels in PDF.

From the woff2 files of the npm package @fontsource-variable/inter (SIL Open Font License 1.1, inter-LICENSE.txt).
Needs fonttools and brotli: python3 data/fonts/make-labels-font.py node_modules/@fontsource-variable/inter/files
"""
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools import merge, subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

MARKS = {0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC, 0x2116}


def options():
    chosen = subset.Options()
    chosen.layout_features = []
    chosen.hinting = False
    chosen.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    chosen.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "HVAR", "MVAR", "avar", "fvar", "gvar"]
    return chosen


def keep(font, characters):
    subsetter = subset.Subsetter(options())
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)


def main():
    files = Path(sys.argv[1])
    with TemporaryDirectory() as folder:
        parts = []
        for part in ("latin", "latin-ext"):
            font = TTFont(files / f"inter-{part}-wght-normal.woff2")
            font.flavor = None
            medium = instancer.instantiateVariableFont(font, {"wght": 500})
            keep(medium, list(medium.getBestCmap()))
            parts.append(str(Path(folder) / f"{part}.ttf"))
            medium.save(parts[-1])
        whole = merge.Merger().merge(parts)
        letters = [c for c in whole.getBestCmap() if 0x20 <= c < 0x250 or 0x1E00 <= c < 0x1F00 or c in MARKS]
        keep(whole, letters)
        whole.save(Path(__file__).with_name("inter-labels.ttf"))


main()
