import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { encoding: 'utf8' })
const documents = listed.split('\n').filter((path) => path !== '' && existsSync(path))
const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

test('every link of a document leads to a file that is there, and to a heading in it', () => {
  const links = documents.flatMap((from) =>
    [...withoutCode(readFileSync(from, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ from, target })),
  )
  assert.ok(links.length > 50)
  const broken = links.filter(({ from, target }) => {
    if (/^(https?|mailto):/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? from : join(dirname(from), path)
    if (!existsSync(file)) return true
    const headings = anchor === undefined ? [] : [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
    return anchor !== undefined && !headings.includes(anchor)
  })
  assert.deepEqual(broken, [])
})

test('every command of the project stands in docs/commands.md, and every command there is one', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const page = readFileSync('docs/commands.md', 'utf8')
  const named = [...page.matchAll(/`npm (?:run )?([a-z-]+)/g)].map(([, name = '']) => name)
  assert.deepEqual([...new Set(named)].toSorted(), Object.keys(scripts).toSorted())
  for (const [name, script] of Object.entries(scripts)) assert.equal(script, `node run.mjs ${name}`)
})
