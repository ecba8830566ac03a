import type { PlotPlace } from './plot.tsx'

const LETTER_PX = 7
const LETTERS_MAX = 14
/** Characters of East Asian scripts, which are twice as wide as Latin letters. */
const WIDE = /[\u2e80-\uffef]/g
const WIDEST_PX = 48

/** Where bars of one width each stand beside one another, and the words under them. */
export function barPlaces(names: readonly string[]) {
  const pitchOf = (place: PlotPlace) => (place.right - place.left) / Math.max(1, names.length)
  const xOf = (at: number, place: PlotPlace) => place.left + (at + 0.5) * pitchOf(place)
  return {
    xOf,
    widthIn: (place: PlotPlace) => Math.min(WIDEST_PX, pitchOf(place) * 0.68),
    // Names that would run into each other are left out evenly.
    foot: (place: PlotPlace) => {
      const short = (name: string) => (name.length > LETTERS_MAX ? `${name.slice(0, LETTERS_MAX - 1)}…` : name)
      const widthOf = (name: string) => (name.length + (name.match(WIDE)?.length ?? 0)) * LETTER_PX
      const every = Math.max(1, Math.ceil((Math.max(...names.map((name) => widthOf(short(name)))) + 10) / pitchOf(place)))
      return names.flatMap((name, at) => (at % every === 0 ? [{ x: xOf(at, place), text: short(name) }] : []))
    },
  }
}
