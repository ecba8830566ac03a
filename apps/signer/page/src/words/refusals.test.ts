import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fillSentence } from '@holdfast/intent'
import { PageError, sentenceOf } from '../page-error.ts'
import { WORDS } from './choose-locale.ts'
import { objectionInChinese } from './objections.ts'
import { enUsRefusals, type RefusalCode, zhCnRefusals } from './refusals.ts'

const placesOf = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(String).sort()
const codes = Object.keys(enUsRefusals) as RefusalCode[]

describe('a refusal by code', () => {
  it('is said in Chinese to who reads Chinese, with every name that the English sentence has', () => {
    assert.ok(codes.length > 45, String(codes.length))
    for (const code of codes) {
      assert.deepEqual(placesOf(zhCnRefusals[code]), placesOf(enUsRefusals[code]), code)
      const given = Object.fromEntries(placesOf(enUsRefusals[code]).map((place, i) => [place.slice(1, -1), `《${i}》`]))
      for (const error of [
        new PageError('refused', enUsRefusals[code], { refusal: { code, given } }),
        new PageError('wouldNotCount', '', { refusal: { code, given } }),
      ]) {
        const said = sentenceOf(error, WORDS['zh-CN'])
        assert.doesNotMatch(said, /[a-z]/i, said)
        for (const value of Object.values(given)) assert.ok(said.includes(value), said)
        assert.ok(sentenceOf(error, WORDS['en-US']).includes(fillSentence(enUsRefusals[code], given)))
      }
    }
  })

  it('is the one in the code wherever the page, its signer and the rules for signatures refuse', () => {
    const root = new URL('../../../../../', import.meta.url)
    const sources = [
      'apps/signer/src/page/approval-api.ts',
      'packages/intent/src/assertion.ts',
      'packages/intent/src/webauthn-data.ts',
      'packages/policy/src/check-approval.ts',
      'packages/policy/src/check-freeze.ts',
      'packages/policy/src/check-waiting.ts',
    ].map((path) => readFileSync(new URL(path, root), 'utf8'))
    const thrown = sources.flatMap((source) =>
      [...source.matchAll(/new (?:Page|Assertion|Approval|Freeze|Waiting)Refused\(([^)]*)/g)].map(([, argument]) => argument!),
    )
    assert.ok(thrown.length > 45, String(thrown.length))
    for (const argument of thrown) assert.match(argument, /^(\{ code: ('[\w-]+'|fault)|cause\.refusal)/)
  })

  it('that this page does not know is said as the signer said it, and nothing given is read as a place', () => {
    assert.equal(sentenceOf(new PageError('refused', 'as told', { refusal: { code: 'toString' } }), WORDS['zh-CN']), '签名方提示：as told')
    assert.equal(fillSentence('{a}{b}', { a: '{b}', b: '$&' }), '{b}$&')
    assert.equal(fillSentence('{toString}'), '{toString}')
  })
})

/** A function, without the comments in it. */
function sourceOf(name: string, path: string): string {
  const source = readFileSync(new URL(`../../../../../${path}.ts`, import.meta.url), 'utf8')
  const start = source.search(new RegExp(`function ${name}\\(`))
  assert.ok(start >= 0, name)
  return source.slice(start, source.indexOf('\n}\n', start)).replaceAll(/^\s*(\/?\*|\/\/).*$/gm, '')
}

/** Everything that `attestOrder` can object, with something in the place of names and numbers; what is wrong with a policy is tested with the policy. */
function objections(): string[] {
  const sources = [
    ...['objectionTo', 'objectionToPayment', 'objectionToShares'].map((name) => sourceOf(name, 'apps/signer/src/calls/attest-order')),
    ...['checkEpoch', 'checkNotFrozen', 'checkPolicyVersion', 'checkTime', 'checkAssets', 'checkOwnVetoes'].map((name) =>
      sourceOf(name, 'apps/signer/src/checks/verify'),
    ),
    sourceOf('checkAbsence', 'apps/signer/src/checks/verify-signer-order'),
    sourceOf('keyChangeFault', 'packages/intent/src/kinds/key-change'),
    sourceOf('keyOrderFault', 'packages/intent/src/kinds/key-order'),
    sourceOf('absenceFault', 'packages/intent/src/kinds/absence'),
    sourceOf('liftFreezeFault', 'packages/intent/src/kinds/lift-freeze'),
    sourceOf('addressBookFault', 'packages/intent/src/kinds/address-book'),
    ...['standingOrderFault', 'faultOfLimits', 'faultOfDoes'].map((name) => sourceOf(name, 'packages/intent/src/kinds/standing-order/standing-order')),
    sourceOf('scheduleFault', 'packages/intent/src/kinds/standing-order/schedule'),
    sourceOf('standingOrderPlaceFault', 'packages/policy/src/standing/standing-orders'),
    sourceOf('faultOfNames', 'apps/signer/src/checks/standing/kept'),
    sourceOf('bookFault', 'packages/policy/src/book'),
    ...['checkBook', 'faultOfAddresses'].map((name) => sourceOf(name, 'apps/signer/src/checks/book-order')),
  ]
  const literals = sources.flatMap((source) => [...source.matchAll(/'([^'\n]*)'|`([^`\n]*)`|"([^"\n]*)"/g)])
  const said = literals.map(([, single, template, double]) => single ?? template ?? double!).filter((text) => text.includes(' '))
  return said.filter((text) => !text.startsWith('the policy denies')).map((text) => text.replace('${action}', 'refresh').replaceAll(/\$\{[^}]+\}/g, '7'))
}

describe('the objection of another signer', () => {
  it('is said in Chinese to who reads Chinese, whatever a signer can object', () => {
    const all = objections()
    assert.ok(all.length >= 28, String(all.length))
    for (const said of all) assert.doesNotMatch(objectionInChinese(said, {}).replace('refresh', ''), /[a-z]/i, said)
    const { objects, denyReasons } = WORDS['zh-CN'].order
    for (const code of Object.keys(denyReasons)) assert.doesNotMatch(objects(`the policy denies the order: ${code}`), /[a-z]/i, code)
    assert.equal(objects('names no approval origin'), '不会签名：没有列明审批页面的来源')
    assert.equal(objects(`frozen by Ann: lost (freeze ab)`), '不会签名：Ann 已停止一切签名，原因：lost（冻结 ab）')
  })

  it('stands as the signer signed it where the page does not know the sentence, and in English always', () => {
    assert.equal(objectionInChinese('something new', {}), '（签名方原文）something new')
    assert.equal(WORDS['en-US'].order.objects('the order has expired'), 'would not sign it: the order has expired')
  })
})
