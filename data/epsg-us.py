#!/usr/bin/env python3
"""Writes data/epsg-us.csv: the coordinate systems that counties of the United States publish in.

Run at development time on a machine with PROJ (projinfo and its proj.db); the table is committed.
    python3 data/epsg-us.py > data/epsg-us.csv

A row: code, name, datum, projection as PROJ writes it, without the datum: of which of the datums below a system is decides
what happens on the way to WGS84, and that is settled in engine/importing/formats/crs/reference-system.ts.
Codes that were replaced by others are kept, because files name them. EPSG codes are below 32768 and Esri's above 37000, so that a number alone says which one is meant.
"""
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

DATUMS = {
    'NAD83', 'NAD83(HARN)', 'NAD83(FBN)', 'NAD83(CORS96)', 'NAD83(NSRS2007)', 'NAD83(2011)', 'NAD83(PA11)',
    'NAD83(MA11)', 'WGS 84',
}
# Esri's names of the same datums.
ESRI_DATUMS = {
    'GCS_North_American_1983_HARN': 'NAD83(HARN)',
    'GCS_NAD_1983_CORS96': 'NAD83(CORS96)',
    'GCS_NAD_1983_NSRS2007': 'NAD83(NSRS2007)',
    'GCS_NAD_1983_2011': 'NAD83(2011)',
    'GCS_NAD_1983_PA11': 'NAD83(PA11)',
    'GCS_NAD_1983_MA11': 'NAD83(MA11)',
}
METHODS = {'lcc', 'tmerc', 'utm', 'omerc', 'aea', 'merc', 'webmerc', 'poly', 'sterea', 'cass', 'longlat'}
# West, south, east, north of where counties lie; west of the antimeridian the Marianas and the end of the Aleutians.
BOXES = [(-180.0, 17.0, -64.0, 72.0), (172.0, 50.0, 180.0, 54.0), (144.0, 13.0, 147.0, 21.0), (-172.0, -15.0, -168.0, -10.0)]

def database():
    """proj.db beside the projinfo that is used."""
    for folder in (Path(shutil.which('projinfo')).parent.parent / 'share/proj', Path('/usr/share/proj')):
        if (folder / 'proj.db').exists():
            return sqlite3.connect(folder / 'proj.db')
    sys.exit('proj.db was not found')


SYSTEMS = """
    SELECT c.auth_name, c.code, c.name, g.name,
      (SELECT group_concat(e.west_lon || ' ' || e.south_lat || ' ' || e.east_lon || ' ' || e.north_lat, ';')
       FROM usage u JOIN extent e ON e.auth_name = u.extent_auth_name AND e.code = u.extent_code
       WHERE u.object_table_name = :table AND u.object_auth_name = c.auth_name AND u.object_code = c.code)
    FROM {table} c JOIN geodetic_crs g ON {link}
    WHERE c.auth_name IN ('EPSG', 'ESRI')
"""


def lies_in_states(extents):
    for extent in (extents or '').split(';'):
        if not extent:
            continue
        west, south, east, north = map(float, extent.split())
        # Across the antimeridian: the Aleutians.
        spans = [(west, east)] if west <= east else [(west, 180.0), (-180.0, east)]
        if sum(e - w for w, e in spans) > 60:
            # A system of the whole world or continent is wanted by its code only.
            continue
        if any(w0 < e and e0 > w and south < n and north > s for w0, e0 in spans for w, s, e, n in BOXES):
            return True
    return False


# Of the world or the continent, and used by counties all the same. 102100 and 102113 are Esri's codes of 3857.
WANTED = {4326, 4269, 4152, 4759, 6318, 6783, 6322, 6325, 3857, 5070, 6350, 102003, 102039, 102004, 102005, 102008, 102009,
          102100, 102113}


REPLACEMENTS = """
    SELECT replacement_auth_name, replacement_code FROM deprecation
    WHERE table_name = :table AND deprecated_auth_name = 'EPSG' AND deprecated_code = :code AND :authority = 'EPSG'
"""


def in_force(db, table, authority, code):
    """Of a system that EPSG withdrew, the one that came for it: GDAL reads the old number so, because the old one was wrong."""
    found = db.execute(REPLACEMENTS, {'table': table, 'authority': authority, 'code': code}).fetchall()
    return found[0] if len(found) == 1 else (authority, code)


def definition(authority, code):
    answer = subprocess.run(['projinfo', f'{authority}:{code}', '-o', 'PROJ', '-q', '--single-line'],
                            capture_output=True, text=True).stdout.strip()
    return answer.splitlines()[-1] if answer else ''


def is_foreign(text):
    """Grids and shifts would be another datum's business."""
    return '+nadgrids' in text and '+proj=merc' not in text


def projection(text):
    kept = [part for part in text.split() if not re.match(
        r'\+(datum|towgs84|no_defs|type|wktext|nadgrids)(=|$)', part)]
    kept = ['+a=6378137 +rf=298.257222101' if part == '+ellps=GRS80' else part for part in kept]
    if not any(part.startswith(('+ellps', '+a')) for part in kept):
        kept.append('+a=6378137 +rf=298.257222101' if 'NAD83' in text else '+a=6378137 +rf=298.257223563')
    return ' '.join(kept)


def rows():
    db = database()
    tables = [
        ('projected_crs', 'g.auth_name = c.geodetic_crs_auth_name AND g.code = c.geodetic_crs_code'),
        ('geodetic_crs', "g.auth_name = c.auth_name AND g.code = c.code AND c.type = 'geographic 2D'"),
    ]
    for table, link in tables:
        for authority, code, name, datum, extents in db.execute(SYSTEMS.format(table=table, link=link), {'table': table}):
            datum = ESRI_DATUMS.get(datum, datum)
            number = int(code)
            if datum not in DATUMS or not (number in WANTED or table == 'projected_crs' and lies_in_states(extents)):
                continue
            text = definition(*in_force(db, table, authority, code))
            method = re.match(r'\+proj=(\w+)', text)
            # Height in the units is no matter of parcels; other axes than east and north are.
            if not method or method.group(1) not in METHODS or '+axis' in text or is_foreign(text):
                continue
            yield number, name, datum, projection(text)


if __name__ == '__main__':
    print('code,name,datum,projection')
    for row in sorted(rows()):
        number, name, datum, text = row
        print(f'{number},{name.replace(",", "")},{datum},{text}')
