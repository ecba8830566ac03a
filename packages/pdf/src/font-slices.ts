import type { Disk } from '@holdfast/ports'
import { known } from '@holdfast/units'
import * as fontkit from 'fontkit'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const FAMILY = '@fontsource-variable/noto-sans-sc'

/** A part of the font, in a file of its own, and the characters it draws. */
type Slice = { name: string; ranges: [first: number, last: number][] }

/** Every character of a text that can be drawn with the part that draws it, and the parts with those characters alone. */
export type Fonts = { sliceOf: ReadonlyMap<string, string>; files: ReadonlyMap<string, Uint8Array> }

/**
 * The fonts that draw some text in one weight: Noto Sans SC, for Latin, Cyrillic and Chinese. What it cannot draw has no slice. Throws where a font file is
 * missing.
 */
export async function fontsFor(disk: Pick<Disk, 'read'>, text: string, weight: number): Promise<Fonts> {
  const slices = await readSlices(disk)
  const sliceOf = new Map<string, string>()
  for (const character of new Set(text)) {
    const code = known(character.codePointAt(0), 'the character')
    const slice = slices.find(({ ranges }) => ranges.some(([first, last]) => first <= code && code <= last))
    if (slice) sliceOf.set(character, slice.name)
  }
  const files = new Map<string, Uint8Array>()
  for (const [slice, of] of Map.groupBy(sliceOf, ([, name]) => name)) {
    const whole = Buffer.from(await readWhole(disk, `files/noto-sans-sc-${slice.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`))
    // A part may lack characters of its range.
    const { characterSet } = fontkit.create(whole)
    const isDrawn = (character: string) => characterSet.includes(known(character.codePointAt(0), 'the character'))
    const drawn = of.filter(([character]) => isDrawn(character))
    for (const [character] of of) if (!isDrawn(character)) sliceOf.delete(character)
    if (drawn.length === 0) continue
    // Without its features no font draws two letters of a hash as one.
    const characters = drawn.map(([character]) => character).join('')
    files.set(slice, await subsetFont(whole, characters, { targetFormat: 'sfnt', keepFeatures: [], variationAxes: { wght: weight } }))
  }
  return { sliceOf, files }
}

async function readSlices(disk: Pick<Disk, 'read'>): Promise<Slice[]> {
  const json = JSON.parse(new TextDecoder().decode(await readWhole(disk, 'unicode.json'))) as Record<string, string>
  const slices = Object.entries(json).map(([name, ranges]) => ({ name, ranges: ranges.split(',').map(readRange) }))
  // Letters are drawn by the parts named after them, so that one word is in one font.
  return slices.sort((a, b) => Number(a.name.startsWith('[')) - Number(b.name.startsWith('[')))
}

function readRange(range: string): [number, number] {
  const [, first = '', last = first] = known(/^U\+([0-9A-F]+)(?:-([0-9A-F]+))?$/i.exec(range), `a range in ${range}`)
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
}

async function readWhole(disk: Pick<Disk, 'read'>, path: string): Promise<Uint8Array> {
  const file = fileURLToPath(new URL(`./${path}`, import.meta.resolve(`${FAMILY}/package.json`)))
  const content = await disk.read(file)
  if (!content) throw new Error(`${file} is missing: install the dependencies again`)
  return content
}
