"""Makes the fonts of our PDFs as plain TrueType with the Latin letters, from woff2 files of npm packages.

inter-labels.ttf: Inter Medium, of @fontsource-variable/inter (SIL Open Font License 1.1, inter-LICENSE.txt).
barlow-condensed.ttf: Barlow Condensed Medium, of @fontsource/barlow-condensed 5.3.0 (the same, barlow-LICENSE.txt).

Needs fonttools and brotli: python3 data/fonts/make-labels-font.py inter node_modules/@fontsource-variable/inter/files
"""
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools import merge, subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

MARKS = {0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC, 0x2116}
FONTS = {
    "inter": ("inter-{}-wght-normal.woff2", "inter-labels.ttf"),
    "barlow": ("barlow-condensed-{}-500-normal.woff2", "barlow-condensed.ttf"),
}


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
    form, made = FONTS[sys.argv[1]]
    files = Path(sys.argv[2])
    with TemporaryDirectory() as folder:
        parts = []
        for part in ("latin", "latin-ext"):
            font = TTFont(files / form.format(part))
            font.flavor = None
            medium = instancer.instantiateVariableFont(font, {"wght": 500}) if "fvar" in font else font
            keep(medium, list(medium.getBestCmap()))
            parts.append(str(Path(folder) / f"{part}.ttf"))
            medium.save(parts[-1])
        whole = merge.Merger().merge(parts)
        letters = [c for c in whole.getBestCmap() if 0x20 <= c < 0x250 or 0x1E00 <= c < 0x1F00 or c in MARKS]
        keep(whole, letters)
        whole["head"].created = whole["head"].modified = 0
        whole.save(Path(__file__).with_name(made))


main()
