import { expect, test } from 'vitest'
import { normalizeMetadata } from './parse/normalizeMetadata.ts'
import type { JsonObject } from './parse/readKey.ts'

/** The invented parts of all metadata here: name, description, image, animation, external URL, image as SVG. */
const [n, d, i, a, x] = ['Name', 'Text', 'https://h.example/i', 'https://h.example/a', 'https://h.example/x']
const svg = 'data:image/svg+xml;base64,PHN2Zy8+'
const nd = { name: n, description: d }
const ndi = { ...nd, image: i }
const ndix = { ...ndi, external_url: x }
const t = (trait_type: string, value: unknown, rest: JsonObject = {}) => ({ trait_type, value, ...rest })
const red = [t('Background', 'Red'), t('Eyes', 'Blue')]
const isRed = { Background: 'Red', Eyes: 'Blue' }

/**
 * The forms of metadata of well-known collections, one per line: collection, which of name, description, image, animation
 * and external address are found (n d i a x), the traits, and made-up metadata of that form.
 */
// biome-ignore format: one line a shape
const shapes: [collection: string, parts: string, traits: JsonObject, document: JsonObject][] = [
  ['Wrapped CryptoPunks', 'ndix', { type: 'Male', accessory: 'Cap' }, { title: 'W#1', ...ndix, attributes: [t('type', 'Male'), t('accessory', 'Cap')] }],
  ['Bored Ape Yacht Club', 'i', isRed, { image: i, attributes: red }],
  ['Mutant Ape Yacht Club', 'i', isRed, { image: i, attributes: red }],
  ['Bored Ape Kennel Club', 'i', isRed, { image: i, attributes: red, external_url: '' }],
  ['Otherdeed for Otherside', 'i', { Category: 'Growth', 'Plot': 7 }, { attributes: [t('Category', 'Growth'), t('Plot', 7, { display_type: 'number' })], image: i }],
  ['Azuki', 'ni', isRed, { name: n, image: i, attributes: red }],
  ['Doodles', 'ndi', { face: 'note' }, { image: i, ...nd, attributes: [t('face', 'note')] }],
  ['Pudgy Penguins', 'ndi', isRed, { attributes: red, ...ndi }],
  ['CloneX', 'ndi', isRed, { ...ndi, attributes: red, trait_count: 9 }],
  ['Meebits', 'ndi', { Type: 'Human' }, { ...ndi, attributes: [t('Type', 'Human')] }],
  ['Moonbirds', 'ndix', { Body: 'Tabby' }, { ...ndix, attributes: [t('Body', 'Tabby')], x_debug: ['orig:1'] }],
  ['Cool Cats', 'ndi', { body: 'blue cat' }, { ...ndi, attributes: [t('body', 'blue cat')], points: { Body: 0 }, ids: { Body: '32' } }],
  ['World of Women', 'ndi', { 'Skin Tone': 'Gold' }, { ...ndi, attributes: [t('Skin Tone', 'Gold')] }],
  ['VeeFriends', 'ndix', { Aspiration: 'x' }, { ...nd, image: i, external_url: x, image_url: i, attributes: [t('Aspiration', 'x')] }],
  ['CyberKongz', 'ndi', { Boost: 5 }, { ...ndi, iteration: 1, attributes: [t('Boost', 5, { display_type: 'boost_number' })] }],
  ['CryptoKitties', 'ndi', {}, { id: 1, name: n, bio: 'b', description: d, image_url: i, image_url_cdn: 'c', cattributes: [{ description: 'totesbasic', type: 'pattern' }] }],
  ['Hashmasks', 'ndix', { Character: 'Male' }, { ...ndix, attributes: [t('Character', 'Male')] }],
  ['MoonCats', 'ndix', { Hue: 7 }, { ...ndix, background_color: '000000', attributes: [t('Hue', 7, { display_type: 'number', max_value: 360 })] }],
  ['CrypToadz', 'ndi', { '# Traits': 3 }, { ...ndi, attributes: [t('# Traits', 3)] }],
  ['Deadfellaz', 'nidx', isRed, { ...ndix, attributes: red, compiler: 'x' }],
  ['mfers', 'ndi', { type: 'charcoal' }, { ...ndi, attributes: [t('type', 'charcoal')], dna: 'x', date: 1 }],
  ['goblintown', 'ni', isRed, { name: n, image: i, attributes: red, edition: 1 }],
  ['Art Gobblers', 'ndia', isRed, { ...ndi, animation_url: a, attributes: red }],
  ['Checks - VV Edition', 'ndia', { Checks: '80' }, { ...nd, image: svg, animation_url: 'data:text/html;base64,PHA+', attributes: [t('Checks', '80')] }],
  ['Opepen Edition', 'ndi', { Set: 'Base', Opepen: 'One' }, { ...ndi, attributes: [t('Set', 'Base'), t('Opepen', 'One')] }],
  ['Terraforms', 'ndia', { Level: 3 }, { ...nd, image: svg, animation_url: 'data:text/html;base64,PHA+', aspect_ratio: 0.7, attributes: [t('Level', 3, { display_type: 'number' })] }],
  ['Bastard Gan Punks', 'ndix', { TYPE: 'BASTARD' }, { ...ndix, tokenId: 1, attributes: [t('TYPE', 'BASTARD')] }],
  ['Avastars', 'ndix', { Gender: 'female', Level: 34 }, { ...ndix, background_color: 'x', attributes: [t('Gender', 'female'), t('Level', 34, { display_type: 'number' })] }],
  ['Blitmap', 'ndi', { Composition: 'Gloom' }, { ...nd, image: svg, attributes: [t('Composition', 'Gloom')] }],
  ['Forgotten Runes', 'ndi', { head: 'hat' }, { ...ndi, background_color: '000', attributes: [t('head', 'hat')] }],
  ['Wolf Game', 'ndi', { type: 'Sheep' }, { ...nd, image: svg, attributes: [t('type', 'Sheep')] }],
  ['Anonymice', 'ni', isRed, { name: n, image: svg, attributes: red }],
  ['Chain Runners', 'ndi', isRed, { ...nd, image_data: '<svg></svg>', attributes: red }],
  ['Loot', 'ndi', {}, { ...nd, image: svg }],
  ['More Loot', 'ndi', {}, { ...nd, image: svg }],
  ['Nouns', 'ndi', {}, { ...nd, image: svg }],
  ['Lil Nouns', 'ndi', {}, { ...nd, image: svg }],
  ['Uniswap V3 Positions', 'ndi', {}, { ...nd, image: svg }],
  ['Uniswap V4 Positions', 'ndi', {}, { ...nd, image: svg }],
  ['Autoglyphs', 'ndix', { Symbols: '5' }, { ...ndix, attributes: [t('Symbols', '5')] }],
  ['Art Blocks', 'ndiax', { Squiggle: 'All', 'Squiggle 2': 'Type: Normal' }, { platform: 'x', ...ndix, curation_status: 'curated', royaltyInfo: { artistAddress: '0x' }, traits: [t('Squiggle', 'All'), t('Squiggle 2', 'Type: Normal')], features: { Type: 'Normal' }, animation_url: a, generator_url: a, aspect_ratio: 1 }],
  ['ENS', 'ndi', { 'Created Date': 1_580_803_395_000, Length: 4 }, { is_normalized: true, ...nd, attributes: [t('Created Date', 1_580_803_395_000, { display_type: 'date' }), t('Length', 4, { display_type: 'number' })], url: 'u', version: 0, image_url: i, background_image: 'b' }],
  ['Basenames', 'ndix', { Length: 4 }, { ...ndix, title: n, attributes: [t('Length', 4)] }],
  ['Unstoppable Domains', 'ndix', { domain: 'x.crypto', level: 2 }, { ...nd, properties: { records: {} }, external_url: x, image: i, image_url: i, attributes: [t('domain', 'x.crypto'), t('level', 2)], background_color: '4C47F7' }],
  ['Zora media (V1)', 'nd', {}, { version: 'zora-20210101', ...nd, mimeType: 'image/png' }],
  ['Zora editions', 'ndi', { number: 1 }, { ...ndi, properties: { number: 1, name: n } }],
  ['Zora 1155', 'ndia', {}, { ...ndi, animation_url: a, content: { mime: 'video/mp4', uri: a } }],
  ['Manifold', 'ndia', { Artist: 'A' }, { created_by: 'A', ...nd, attributes: [t('Artist', 'A')], image: i, image_url: i, image_details: { bytes: 1, format: 'PNG' }, animation: a, animation_url: a, animation_details: { bytes: 2 } }],
  ['POAP', 'ndix', { startDate: '01-Jan-2021', virtualEvent: 'true' }, { ...nd, external_url: x, home_url: 'u', image_url: i, year: 2021, tags: ['poap'], attributes: [t('startDate', '01-Jan-2021'), t('virtualEvent', 'true')] }],
  ['Sorare', 'ndix', { Rarity: 'Limited', Season: 2021 }, { id: 1, ...ndix, attributes: [t('Rarity', 'Limited'), t('Season', 2021)] }],
  ['Axie Infinity', 'nix', { Class: 'Beast', 'Stats / hp': 61 }, { id: 1, name: n, image: i, external_url: x, attributes: [t('Class', 'Beast'), t('Stats', { hp: 61 })] }],
  ['Decentraland LAND', 'ndix', { X: -1, Y: 0 }, { id: '1', ...ndix, attributes: [t('X', -1, { display_type: 'number' }), t('Y', 0, { display_type: 'number' })], background_color: '000' }],
  ['Decentraland wearables', 'ndi', { Rarity: 'epic', Tags: 'x' }, { id: 'urn:x', ...ndi, language: 'en-US', thumbnail: i, attributes: [t('Rarity', 'epic'), t('Tags', 'x')] }],
  ['The Sandbox LAND', 'ndix', { 'Land X': -12 }, { ...ndix, properties: [t('Land X', -12)] }],
  ['The Sandbox assets', 'ndiax', { Attack: 5 }, { ...ndix, animation_url: a, properties: [{ trait_type: 'Attack', value: 5 }], sandbox: { creator: 'x' } }],
  ['Cryptovoxels', 'ndix', { suburb: 'The Center', width: 12, 'has_basement': 'no' }, { ...ndix, background_color: 'f3f3f3', attributes: { suburb: 'The Center', width: 12, has_basement: 'no' } }],
  ['Somnium Space', 'ndix', { Size: 'S' }, { ...ndix, attributes: [t('Size', 'S')] }],
  ['Voxels wearables', 'ndi', { rarity: 'rare' }, { ...ndi, attributes: [t('rarity', 'rare')], voxels: 'x' }],
  ['Gods Unchained', 'ni', { god: 'death', mana: 4 }, { name: n, image: i, image_url: i, attributes: { god: 'death', mana: 4 } }],
  ['Parallel', 'ndia', { Rarity: 'Rare' }, { ...ndi, animation_url: a, attributes: [t('Rarity', 'Rare')], properties: { artist: 'x' } }],
  ['Illuvium', 'ndi', { Tier: 1 }, { ...nd, image_url: i, attributes: [{ traitType: 'Tier', value: 1 }] }],
  ['Lens posts (v1)', 'ndiax', { type: 'POST' }, { version: '2.0.0', metadata_id: '1', ...ndix, content: 'c', animation_url: a, media: [{ item: i, type: 'image/png' }], attributes: [{ displayType: 'string', traitType: 'type', value: 'POST' }], appId: 'x' }],
  ['Lens posts (v2)', 'ndix', { mood: 'good' }, { $schema: 's', lens: { id: '1' }, ...ndix, attributes: [{ type: 'String', key: 'mood', value: 'good' }] }],
  ['Lens profiles', 'ndi', { ID: '#1' }, { ...nd, image: svg, attributes: [t('ID', '#1')] }],
  ['Farcaster names', 'nix', {}, { name: n, external_url: x, image: i }],
  ['OpenSea shared storefront', 'ndix', {}, { ...nd, external_link: x, image: i, animation_url: null }],
  ['OpenSea, traits', 'ndi', isRed, { ...ndi, traits: red.map((each) => ({ ...each, display_type: null, max_value: null, trait_count: 0, order: null })) }],
  ['Rarible', 'ndiax', isRed, { ...ndi, external_url: x, animation_url: a, attributes: red.map(({ trait_type: key, value }) => ({ key, trait_type: key, value })) }],
  ['Foundation', 'ndi', {}, { ...ndi }],
  ['SuperRare', 'ndi', {}, { name: n, createdBy: 'x', yearCreated: '2020', description: d, image: i, media: { uri: i, mimeType: 'image/png' }, tags: ['x'] }],
  ['KnownOrigin', 'ndix', { scarcity: 'rare', tags: 'x' }, { ...ndi, external_uri: x, attributes: { scarcity: 'rare', tags: ['x'] } }],
  ['MakersPlace', 'ndi', { Creator: 'x' }, { ...nd, imageUrl: i, attributes: [t('Creator', 'x')], properties: { preview_media_file: { type: 'string', description: i } } }],
  ['async art', 'ndix', { 'Master?': 'Yes' }, { ...ndix, attributes: [t('Master?', 'Yes')], 'async-attributes': { artist: 'x' }, layers: [] }],
  ['Nifty Gateway', 'ndiax', isRed, { ...ndix, animation_url: a, attributes: red, type: 'object', properties: {} }],
  ['Feral File', 'ndiax', { artist: 'x' }, { ...ndix, animation_url: a, attributes: [t('artist', 'x')] }],
  ['fxhash', 'ndi', { Palette: 'Warm' }, { ...nd, image: i, artifactUri: a, displayUri: i, thumbnailUri: i, attributes: [{ name: 'Palette', value: 'Warm' }], symbol: 'FXGEN', decimals: 0 }],
  ['Sound.xyz', 'ndiax', { Artist: 'x' }, { ...ndix, artist: 'x', losslessAudio: a, animation_url: a, mimeType: 'audio/wave', attributes: [t('Artist', 'x')], bpm: 1, version: 'sound' }],
  ['Catalog', 'ndia', {}, { ...ndi, title: n, body: { artist: 'x' }, origin: 'x', animation: a }],
  ['Mirror', 'ndix', { Serial: 1 }, { ...ndix, content: 'c', contentURI: 'ar://x', attributes: [t('Serial', 1)] }],
  ['Highlight', 'ndia', isRed, { ...ndi, animation_url: a, attributes: red, collection: 'x' }],
  ['Gala', 'ndi', { game: 'x', 'rarity / label': 'Epic', 'rarity / supplyLimit': 5 }, { ...ndi, properties: { category: 'Item', game: 'x', rarity: { label: 'Epic', supplyLimit: 5 } } }],
  ['Enjin', 'ndi', { simple: 's', Rich: '123', List: 1 }, { ...ndi, properties: { simple: 's', rich: { name: 'Rich', value: '123', display_value: '123 x' }, list: { name: 'List', value: [1] } } }],
  ['Skyweaver', 'ndi', { element: 'Air', mana: 3 }, { ...ndi, decimals: 2, properties: { element: 'Air', mana: 3 } }],
  ['My Crypto Heroes', 'ndix', { lv: 7, active: 'x' }, { ...nd, image_url: i, external_url: x, attributes: { lv: 7, active: 'x' }, extra_data: {} }],
  ['Treasure', 'ndi', { Role: 'Fighter' }, { ...ndi, attributes: [t('Role', 'Fighter', { display_type: null })] }],
  ['Smol Brains', 'ndi', { IQ: 12.5 }, { ...ndi, attributes: [t('IQ', 12.5, { max_value: 100 })] }],
  ['Galxe', 'ndi', { category: 'campaign' }, { ...ndi, animation_url: '', attributes: [t('category', 'campaign')] }],
  ['Reddit Collectible Avatars', 'ndix', { Generation: 1 }, { ...ndix, background_image: i, attributes: [t('Generation', 1)] }],
  ['Unlock', 'ndix', { Tier: 'Gold' }, { ...ndix, attributes: [t('Tier', 'Gold')], expirationAsDate: null, keyId: 1, lock: { address: '0x' } }],
  ['Milady Maker', 'ndi', { Hat: 'Cap' }, { ...ndi, attributes: [t('Hat', 'Cap')] }],
  ['DeGods', 'ndix', isRed, { symbol: '', ...ndix, attributes: red, properties: { files: [{ uri: i, type: 'image/png' }], category: 'image', creators: [{ address: 'x', share: 100 }] } }],
  ['Image as a list (CIP-25)', 'ni', { type: 'Bear' }, { name: n, image: [i], mediaType: 'image/png', properties: { type: 'Bear' } }],
  ['ERC-721 schema, filled in', 'ndi', { color: 'Red' }, { title: 'Asset Metadata', type: 'object', properties: { name: { type: 'string', description: n }, description: { type: 'string', description: d }, image: { type: 'string', description: i }, color: { type: 'string', description: 'Red' } } }],
  ['Traits as {type, name}', 'ndi', isRed, { ...ndi, attributes: [{ type: 'Background', name: 'Red' }, { type: 'Eyes', name: 'Blue' }] }],
  ['Every key with a capital', 'ndi', isRed, { Name: n, Description: d, Image: i, Attributes: [{ TraitType: 'Background', Value: 'Red' }, { TraitType: 'Eyes', Value: 'Blue' }] }],
  ['HashLips, extra keys', 'ndi', isRed, { ...ndi, dna: 'x', edition: 1, date: 1, attributes: red.map((each) => ({ ...each, rarity: '3%' })), compiler: 'HashLips Art Engine' }],
]

test.each(shapes)('behavior: normalizes metadata of %s', (_, parts, traits, metadata) => {
  const { attributes, ...normalized } = normalizeMetadata(metadata)
  expect(attributes.map(({ trait_type, value }) => [trait_type, value])).toEqual(Object.entries(traits))
  const has = (part: string, value: string) => (parts.includes(part) ? value : null)
  const inline = (part: string, prefix: string) => expect.stringMatching(parts.includes(part) ? `^${prefix}` : '^$')
  expect({
    ...normalized,
    image: normalized.image ?? '',
    animation_url: normalized.animation_url ?? '',
  }).toEqual({
    name: has('n', n),
    description: has('d', d),
    image: inline('i', `(${i}|data:image/svg)`),
    animation_url: inline('a', `(${a}|data:text/html)`),
    external_url: has('x', x),
    external_link: has('x', x),
  })
})

test('behavior: the table has at least eighty distinct collections', () => {
  const names = new Set(shapes.map(([collection]) => collection))
  expect(names.size).toBe(shapes.length)
  expect(names.size).toBeGreaterThanOrEqual(80)
})
