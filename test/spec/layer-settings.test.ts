/** What a form of a layer's settings says, as the engine takes it. */
import { expect, test } from 'vitest';
import { expectSettings } from '../../engine/enrichment/enrichment-settings.ts';
import { layerSettingFields, layerSettingsOf, roadValueField } from '../../engine/spec/layer-settings.ts';
import { layerTitles } from '../../engine/spec/layer-titles.ts';

test('every field is a setting that the engine takes', () => {
  const texts = {
    reachFeet: '60',
    roadParcelWords: 'alley, lane',
    valueColumn: 'NAME',
    elevationUnit: 'ft',
    rasterSystem: 'EPSG:26912',
    look: 'water',
    color: '#8a5a2b',
  };
  for (const kind of Object.keys(layerTitles)) {
    const filled = Object.fromEntries(
      layerSettingFields.map(({ name, input }) => [
        name,
        input === 'number' ? '0.5' : (texts[name as keyof typeof texts] ?? 'x'),
      ]),
    );
    expect(() => expectSettings(layerSettingsOf(kind, filled))).not.toThrow();
  }
  expect(layerSettingsOf('roads', texts)).toEqual({ reachFeet: 60, roadParcelWords: ['alley', 'lane'] });
  expect(layerSettingsOf('flood', { reachFeet: '60', valueColumn: ' ZONE ' })).toEqual({ valueColumn: 'ZONE' });
  expect(layerSettingsOf('roads', {})).toEqual({});
});

test('classes of roads are values of one column; the others are local roads', () => {
  const settings = layerSettingsOf('roads', {
    roadColumn: 'CLASS',
    [roadValueField('I')]: 'highway',
    [roadValueField('US, old')]: 'highway',
    [roadValueField('Trail')]: 'none',
  });
  expect(settings).toEqual({
    roads: {
      column: 'CLASS',
      classes: { I: 'major_highway', 'US, old': 'major_highway', Trail: null },
      other: 'local_road',
    },
  });
  expect(() => expectSettings(settings)).not.toThrow();
  expect(layerSettingsOf('roads', { roadColumn: '' }), 'chosen to have none').toEqual({ roads: null });
  expect(layerSettingsOf('roads', { roadColumn: 'CLASS', 'class:II': 'constructor' })).toMatchObject({
    roads: { classes: {} },
  });
});

test('the engine refuses a text that is not a number instead of dropping it', () => {
  expect(() => expectSettings(layerSettingsOf('roads', { reachFeet: 'far' }))).toThrow(/reachFeet/);
});
