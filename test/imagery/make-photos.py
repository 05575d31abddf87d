"""Makes photos of the air of every kind with GDAL: python3 make-photos.py FOLDER. Prints what a reader has to find in each:
the pixel of 40 places and its color as gdalwarp draws it."""
import json, os, shutil, subprocess, sys
import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
at = lambda name: os.path.join(folder, name)
W, H, CELL = 900, 700, 0.6
# UTM 19 north, in New Hampshire.
ORIGIN = (283000.3, 4891000.7)


def picture(w=W, h=H):
    y, x = np.mgrid[0:h, 0:w].astype('float64')
    bands = [128 + 80 * np.sin(x / 61) * np.cos(y / 83), 120 + 70 * np.cos((x + y) / 97), 90 + 60 * np.sin((x - 2 * y) / 131)]
    return np.stack([np.rint(b) for b in bands]).astype('uint8')


def system(code):
    s = osr.SpatialReference()
    s.ImportFromEPSG(code)
    s.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return s


def memory(data, code=26919, affine=(ORIGIN[0], CELL, 0, ORIGIN[1], 0, -CELL), kind=gdal.GDT_Byte):
    ds = gdal.GetDriverByName('MEM').Create('', data.shape[2], data.shape[1], data.shape[0], kind)
    if affine:
        ds.SetGeoTransform(affine)
    if code:
        ds.SetProjection(system(code).ExportToWkt())
    for each in range(data.shape[0]):
        ds.GetRasterBand(each + 1).WriteArray(data[each])
    return ds


rgb = picture()
truth = memory(rgb)
gdal.Translate(at('truth.tif'), truth)
rgb.tofile(at('truth.bin'))


def warped(code):
    return gdal.Warp('', truth, format='MEM', dstSRS='EPSG:%d' % code, resampleAlg='cubic')


def points(geo, code, w, h, source=None):
    """40 places spread over the photo: degrees, and the pixel that GDAL's own transformer finds."""
    out = []
    to = osr.CoordinateTransformation(system(code), system(4326))
    places = [(0, 0), (w, 0), (0, h), (w, h)]
    rng = np.random.RandomState(7)
    places += [(float(x), float(y)) for x, y in zip(rng.uniform(20, w - 20, 36), rng.uniform(20, h - 20, 36))]
    for c, r in places:
        x = geo[0] + geo[1] * c + geo[2] * r
        y = geo[3] + geo[4] * c + geo[5] * r
        lon, lat, _ = to.TransformPoint(x, y)
        out.append([lon, lat, c, r])
    return out


kinds = []


def kind(name, file, code=26919, geo=None, tolerance=0, size=None, **more):
    geo = geo or (ORIGIN[0], CELL, 0, ORIGIN[1], 0, -CELL)
    w, h = size or (W, H)
    kinds.append({'name': name, 'file': at(file), 'points': points(geo, code, w, h), 'tolerance': tolerance, **more})


def tiff(name, options, tolerance=0, source=None, **more):
    file = name.replace(' ', '-') + '.tif'
    gdal.Translate(at(file), source or truth, creationOptions=options)
    kind(name, file, tolerance=tolerance, **more)


tiff('strips', [])
tiff('strips of one row', ['BLOCKYSIZE=1'])
tiff('one strip', ['BLOCKYSIZE=%d' % H])
tiff('tiles', ['TILED=YES'])
tiff('tiles 512 big', ['TILED=YES', 'BLOCKXSIZE=512', 'BLOCKYSIZE=512', 'BIGTIFF=YES'])
tiff('big endian', ['ENDIANNESS=BIG', 'COMPRESS=LZW'])
tiff('lzw', ['COMPRESS=LZW', 'TILED=YES'])
tiff('lzw predictor', ['COMPRESS=LZW', 'PREDICTOR=2'])
tiff('deflate predictor tiles', ['COMPRESS=DEFLATE', 'PREDICTOR=2', 'TILED=YES'])
tiff('packbits', ['COMPRESS=PACKBITS'])
tiff('zstd', ['COMPRESS=ZSTD', 'TILED=YES', 'PREDICTOR=2'])
tiff('jpeg ycbcr tiles', ['COMPRESS=JPEG', 'PHOTOMETRIC=YCBCR', 'TILED=YES', 'JPEG_QUALITY=92'], 3)
tiff('jpeg ycbcr strips', ['COMPRESS=JPEG', 'PHOTOMETRIC=YCBCR', 'JPEG_QUALITY=92'], 3)
tiff('jpeg rgb', ['COMPRESS=JPEG', 'PHOTOMETRIC=RGB', 'TILED=YES', 'JPEG_QUALITY=92'], 3)
tiff('webp', ['COMPRESS=WEBP', 'WEBP_LOSSLESS=YES', 'TILED=YES'])
tiff('band sequential', ['INTERLEAVE=BAND', 'COMPRESS=DEFLATE'])
tiff('band sequential tiles', ['INTERLEAVE=BAND', 'TILED=YES'])
tiff('point', ['TILED=YES'])
ds = gdal.Open(at('point.tif'), gdal.GA_Update)
ds.SetMetadataItem('AREA_OR_POINT', 'Point')
ds = None

# Own overviews, inside and beside.
cog = at('cog.tif')
gdal.Translate(cog, truth, format='COG', creationOptions=['COMPRESS=JPEG', 'QUALITY=92', 'BLOCKSIZE=256'])
kind('cog', 'cog.tif', tolerance=3)
gdal.Translate(at('ovr.tif'), truth, creationOptions=['COMPRESS=DEFLATE'])
ds = gdal.Open(at('ovr.tif'))
ds.BuildOverviews('AVERAGE', [2, 4])
ds = None
kind('overviews beside', 'ovr.tif')

four = np.concatenate([rgb, np.full((1, H, W), 77, 'uint8')])
gdal.Translate(at('four.tif'), memory(four), creationOptions=['PHOTOMETRIC=RGB', 'ALPHA=NO', 'TILED=YES', 'COMPRESS=DEFLATE'])
kind('red, green, blue and infrared', 'four.tif')
gdal.Translate(at('four-jpeg.tif'), memory(four), creationOptions=['PHOTOMETRIC=RGB', 'ALPHA=NO', 'TILED=YES', 'COMPRESS=JPEG', 'JPEG_QUALITY=95'])
kind('infrared as jpeg', 'four-jpeg.tif', tolerance=4)
gray = np.rint(rgb.astype('float').mean(0, keepdims=True)).astype('uint8')
gdal.Translate(at('gray.tif'), memory(gray), creationOptions=['TILED=YES'])
kind('one band', 'gray.tif', gray=True)
gdal.Translate(at('gray-white.tif'), memory(255 - gray), creationOptions=['PHOTOMETRIC=MINISWHITE'])
kind('white is zero', 'gray-white.tif', gray=True)
gdal.Translate(at('gray-jpeg.tif'), memory(gray), creationOptions=['TILED=YES', 'COMPRESS=JPEG', 'JPEG_QUALITY=95'])
kind('one band as jpeg', 'gray-jpeg.tif', gray=True, tolerance=3)

# Palette: the red band's value is a color of its own.
pal = memory(rgb[:1])
table = gdal.ColorTable()
for value in range(256):
    table.SetColorEntry(value, (value, 255 - value, (value * 7) % 256, 255))
pal.GetRasterBand(1).SetColorTable(table)
gdal.Translate(at('palette.tif'), pal, creationOptions=['COMPRESS=LZW'])
kind('palette', 'palette.tif', palette=True)

wide = (rgb.astype('uint16') * 8 + 100)
gdal.Translate(at('sixteen.tif'), memory(wide, kind=gdal.GDT_UInt16), creationOptions=['PHOTOMETRIC=RGB', 'COMPRESS=LZW', 'PREDICTOR=2', 'TILED=YES'])
least, most = [[float(v) for v in np.percentile(wide.reshape(3, -1), p, axis=1)] for p in (2, 98)]
kind('sixteen bits', 'sixteen.tif', tolerance=4, stretch=[least, most])
gdal.Translate(at('sixteen-big.tif'), memory(wide, kind=gdal.GDT_UInt16), creationOptions=['PHOTOMETRIC=RGB', 'ENDIANNESS=BIG'])
kind('sixteen bits, big endian', 'sixteen-big.tif', tolerance=4, stretch=[least, most])

# Holes: a value, an alpha band, a mask. The left third is none.
holed = rgb.copy()
holed[:, :, : W // 3] = 0
gdal.Translate(at('nodata.tif'), memory(holed), noData=0, creationOptions=['TILED=YES', 'COMPRESS=DEFLATE'])
kind('a value for nothing', 'nodata.tif', hole=W // 3)
alpha = np.concatenate([rgb, np.full((1, H, W), 255, 'uint8')])
alpha[3, :, : W // 3] = 0
gdal.Translate(at('alpha.tif'), memory(alpha), creationOptions=['PHOTOMETRIC=RGB', 'ALPHA=YES', 'COMPRESS=LZW'])
kind('alpha', 'alpha.tif', hole=W // 3)
gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'YES')
masked = gdal.Translate(at('mask.tif'), memory(alpha), bandList=[1, 2, 3], maskBand=4, creationOptions=['COMPRESS=JPEG', 'PHOTOMETRIC=YCBCR', 'TILED=YES', 'JPEG_QUALITY=92'])
masked = None
kind('jpeg with a mask', 'mask.tif', hole=W // 3, tolerance=3)
gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'NO')
masked = gdal.Translate(at('msk.tif'), memory(alpha), bandList=[1, 2, 3], maskBand=4, creationOptions=['TILED=YES'])
masked = None
kind('a mask beside', 'msk.tif', hole=W // 3)

# Other planes, degrees, a turned raster.
for name, code in (('state plane feet', 3437), ('degrees', 4326), ('web mercator', 3857)):
    ds = warped(code)
    data = ds.ReadAsArray()
    file = name.replace(' ', '-') + '.tif'
    gdal.Translate(at(file), ds, creationOptions=['TILED=YES'])
    kind(name, file, code=code, geo=ds.GetGeoTransform(), size=(ds.RasterXSize, ds.RasterYSize), resampled=True)
turn = (ORIGIN[0], 0.5, 0.3, ORIGIN[1], 0.3, -0.5)
gdal.Translate(at('turned.tif'), memory(rgb, affine=turn), creationOptions=['TILED=YES'])
kind('turned', 'turned.tif', geo=turn)

# World files.
def world(file, ending, geo=(ORIGIN[0], CELL, 0, ORIGIN[1], 0, -CELL)):
    stem = os.path.splitext(at(file))[0]
    lines = [geo[1], geo[4], geo[2], geo[5], geo[0] + (geo[1] + geo[2]) / 2, geo[3] + (geo[4] + geo[5]) / 2]
    open(stem + '.' + ending, 'w').write('\n'.join('%.10f' % v for v in lines) + '\n')
    return stem


bare = memory(rgb, code=None, affine=None)
for file, driver, ending, options in (('scan.jpg', 'JPEG', 'jgw', ['QUALITY=95']), ('plan.png', 'PNG', 'pgw', []), ('world.tif', 'GTiff', 'tfw', ['TILED=YES'])):
    gdal.Translate(at(file), bare, format=driver, creationOptions=options)
    stem = world(file, ending)
    if os.path.exists(at(file) + '.aux.xml'):
        os.remove(at(file) + '.aux.xml')
    open(stem + '.prj', 'w').write(system(26919).ExportToWkt(['FORMAT=WKT1_ESRI']))
    kind(file.split('.')[1] + ' with a world file', file, tolerance=0 if file == 'world.tif' else 3)
gdal.Translate(at('asked.png'), bare, format='PNG')
world('asked.png', 'pgw')
kind('png without a projection', 'asked.png', crs='EPSG:26919', tolerance=3)
shutil.copy(at('asked.png'), at('silent.png'))
world('silent.png', 'pgw')
gdal.Translate(at('aux.jpg'), truth, format='JPEG', creationOptions=['QUALITY=95'])
kind('jpg with aux.xml', 'aux.jpg', tolerance=3)

# A tile of the truth as gdalwarp draws it: zoom 18, 512 pixels.
def gdal_tile(file, z, x, y):
    side = 2 * 20037508.342789244 / 2 ** z
    west, north = x * side - 20037508.342789244, 20037508.342789244 - y * side
    ds = gdal.Warp('', file, format='MEM', dstSRS='EPSG:3857', outputBounds=(west, north - side, west + side, north), width=512, height=512, resampleAlg='bilinear', dstAlpha=True, errorThreshold=0)
    return ds.ReadAsArray()


tiles = []
for name in ('strips', 'state plane feet', 'turned'):
    each = next(k for k in kinds if k['name'] == name)
    lon, lat = each['points'][20][:2]
    z = 18
    x = int((lon / 360 + 0.5) * 2 ** z)
    y = int((0.5 - np.arcsinh(np.tan(np.radians(lat))) / (2 * np.pi)) * 2 ** z)
    raw = at('tile-%s.bin' % name.replace(' ', '-'))
    gdal_tile(each['file'], z, x, y).tofile(raw)
    tiles.append({'name': name, 'file': each['file'], 'z': z, 'x': x, 'y': y, 'raw': raw})

# A mosaic on a plain field: quads in three systems, turned in their rasters, with black collars, one pair packed as JPEG.
plain = np.full((3, 420, 420), 0, 'uint8')
for band, value in enumerate((120, 140, 90)):
    plain[band] = value
quads = []
for number, (east, north, code) in enumerate([(0, 0, 26919), (200, 0, 3437), (0, -200, 26919), (200, -200, 26918), (560, 0, 26919)]):
    quad = memory(plain, affine=(ORIGIN[0] + east, 0.6, 0, ORIGIN[1] + north, 0, -0.6))
    turned = gdal.Warp('', quad, format='MEM', dstSRS='EPSG:%d' % code) if code != 26919 else gdal.Warp('', memory(plain, affine=(ORIGIN[0] + east, 0.59, 0.06, ORIGIN[1] + north, 0.06, -0.59)), format='MEM', dstSRS='EPSG:26919')
    file = at('quad-%d-2021060%d.tif' % (number, number + 1))
    gdal.Translate(file, turned, creationOptions=['COMPRESS=JPEG', 'JPEG_QUALITY=90', 'TILED=YES', 'PHOTOMETRIC=YCBCR'] if number % 2 else ['TILED=YES'])
    quads.append(file)

refused = []


def refuse(name, file, words, crs=None):
    refused.append({'name': name, 'file': at(file), 'words': words})


try:
    gdal.Translate(at('photo.jp2'), memory(rgb[:, :64, :64]), format='JP2OpenJPEG')
except Exception:
    open(at('photo.jp2'), 'wb').write(b'\0\0\0\x0cjP  \r\n\x87\n' + b'\0' * 64)
refuse('JPEG 2000', 'photo.jp2', 'JPEG 2000')
open(at('photo.sid'), 'wb').write(b'msid' + b'\0' * 64)
refuse('MrSID', 'photo.sid', 'MrSID')
open(at('photo.ecw'), 'wb').write(b'e\0' + b'\0' * 64)
refuse('ECW', 'photo.ecw', 'ECW')
refuse('png without a projection', 'silent.png', '--crs')
gdal.Translate(at('heights.tif'), memory(rgb[:1].astype('float32'), kind=gdal.GDT_Float32))
refuse('heights', 'heights.tif', 'slope')
gdal.Translate(at('lzma.tif'), truth, creationOptions=['COMPRESS=LZMA'])
refuse('LZMA', 'lzma.tif', 'LZMA')
gdal.Translate(at('lerc.tif'), truth, creationOptions=['COMPRESS=LERC'])
refuse('LERC', 'lerc.tif', 'LERC')
gdal.Translate(at('nowhere.tif'), bare)
refuse('no place', 'nowhere.tif', 'world file')
open(at('text.tif'), 'w').write('no photo at all')
refuse('no TIFF', 'text.tif', 'expected a photo')
open(at('cut.tif'), 'wb').write(open(at('strips.tif'), 'rb').read()[:4000])
refuse('cut off', 'cut.tif', '')

json.dump({'kinds': kinds, 'refused': refused, 'truth': at('truth.bin'), 'width': W, 'height': H, 'tiles': tiles, 'quads': quads}, open(at('kinds.json'), 'w'))
