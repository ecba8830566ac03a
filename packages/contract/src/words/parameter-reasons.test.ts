import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { reasonIn } from './parameter-reasons.ts'

const root = new URL('../../../../', import.meta.url).pathname
/** Sentences of a source that follow one of these, with a number in the place of what is filled in. */
const saidIn = (path: string, before: RegExp): string[] =>
  [
    ...readFileSync(`${root}${path}`, 'utf8').matchAll(
      new RegExp(`${before.source}(?:'([^'\\n]* [^'\\n]*)'|"([^"\\n]* [^"\\n]*)"|\`([^\`\\n]* [^\`\\n]*)\`)`, 'g'),
    ),
  ].map(([, single, double, template]) =>
    (single ?? double ?? template!)
      .replaceAll('${row.state}', 'removed')
      .replaceAll("${fault.replace('_', ' ')}", 'comment missing')
      .replaceAll(/\$\{(?:[^{}]|\{[^}]*\})+\}/g, '7'),
  )

test('every reason why a field or an order is refused is said in Chinese to who reads Chinese', () => {
  const contracts = globSync('features/*/*contract.ts', { cwd: root }).flatMap((path) => saidIn(path, /(?:regex|refine)\([^\n]*, /))
  const servers = globSync('features/*/server/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((path) => [
    ...saidIn(path, /details: \{ (?:field: [^,\n]+, )?reason: (?:fault \?\? )?/),
    ...saidIn(path, /approvalRefused\(/),
    ...saidIn(path, /\brefused?\((?:'\w+', )?/),
  ])
  const wire = globSync('features/open-api/server/wire/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((path) => [
    ...saidIn(path, /\breason: /),
    ...saidIn(path, /\bnotHere\(/),
  ])
  const all = [...new Set([...contracts, ...servers, ...wire])]
  assert.ok(all.length > 30, String(all.length))
  assert.deepEqual(
    all.filter((said) => !/\p{Script=Han}/u.test(reasonIn('zh_CN', said))),
    [],
  )
})

test('what is filled in stays in the sentence, and a reason without a translation as it was', () => {
  assert.equal(reasonIn('zh_CN', 'Ann is suspended and cannot decide'), 'Ann 已停用，不能审批')
  assert.equal(reasonIn('zh_CN', 'at most 50 coins can be marked'), '最多可关注 50 个币种')
  assert.equal(reasonIn('zh_CN', 'something new'), 'something new')
  assert.equal(reasonIn('en_US', 'it must not be empty'), 'it must not be empty')
})
