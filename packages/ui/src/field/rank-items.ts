type Findable = { title: string; detail?: string; words?: string }

const EXACT = 100
const BEGINS = 80
const WORD_BEGINS = 60
const CONTAINS = 40
const ELSEWHERE = 20
const SCATTERED = 5

/** A text as it is searched: letters without case and accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLocaleLowerCase('en-US')
}

function isScatteredIn(word: string, text: string): boolean {
  let at = 0
  for (const letter of text) if (letter === word[at]) at += 1
  return at >= word.length
}

function scoreOfWord(word: string, title: string, rest: string): number {
  if (title === word) return EXACT
  if (title.startsWith(word)) return BEGINS
  const at = title.indexOf(word)
  if (at > 0) return /[\p{L}\p{N}]/u.test(title[at - 1] ?? '') ? CONTAINS : WORD_BEGINS
  if (rest.includes(word)) return ELSEWHERE
  return word.length > 1 && isScatteredIn(word, title) ? SCATTERED : 0
}

/** How well something fits what was typed: 0 if a word of it is nowhere. What begins with the words goes before what only contains them. */
export function scoreOf(query: string, item: Findable): number {
  const words = plain(query).split(/\s+/u).filter(Boolean)
  const title = plain(item.title.slice(0, 500))
  const rest = plain(`${item.detail ?? ''} ${item.words ?? ''}`.slice(0, 2000))
  if (words.length > 1 && title.startsWith(words.join(' '))) return EXACT
  const scores = words.map((word) => scoreOfWord(word, title, rest))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
}

/** The items that fit, best first; among equals in their own order. With nothing typed, all of them. */
export function rankItems<Item extends Findable>(query: string, items: readonly Item[], most: number): Item[] {
  if (query.trim() === '') return items.slice(0, most)
  return items
    .map((item) => ({ item, score: scoreOf(query, item) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ item }) => item)
}
