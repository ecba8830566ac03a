import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AskDraft, draftFromSent, draftToSend, EMPTY_DRAFT, faultOfDraft } from './ask-draft.ts'

const whole: AskDraft = {
  ...EMPTY_DRAFT,
  name: 'Collect deposits',
  sources: ['deposits'],
  targetWallet: 'treasury',
  targetSubWallet: 'main',
  assets: [
    { chain: 'eip155:1', symbol: 'ETH', atLeast: '0.5', atMost: '100' },
    { chain: 'tron:1', symbol: 'TRX', atLeast: '5', atMost: '1000' },
  ],
  fees: { 'eip155:1': { max: '0.01', share: '10' }, 'tron:1': { max: '30', share: '12.5' } },
}
const listed = [
  { chain: 'eip155:1', address: '0xaa', memo: '' },
  { chain: 'tron:1', address: 'Taa', memo: '' },
]

describe('the draft of a standing order', () => {
  it('comes back as it was typed when its next version is asked for', () => {
    const word = fc.stringMatching(/^[0-9a-zA-Z]{1,20}$/)
    const typedParts = fc.record({
      id: fc.uuid(),
      kind: fc.constantFrom('sweep' as const, 'fuel' as const),
      name: word,
      sources: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      goesTo: fc.constantFrom('own' as const, 'listed' as const),
      never: fc.uniqueArray(word, { maxLength: 5 }).map((lines) => lines.join('\n')),
      days: fc.integer({ min: 1, max: 366 }).map(String),
    })
    fc.assert(
      fc.property(typedParts, (typed) => {
        const isSweep = typed.kind === 'sweep'
        const isOwn = isSweep && typed.goesTo === 'own'
        const draft: AskDraft = {
          ...whole,
          ...typed,
          goesTo: isSweep ? typed.goesTo : 'own',
          ...(!isOwn && { targetWallet: '', targetSubWallet: '' }),
          listed: isSweep && !isOwn ? listed : [],
          fuelled: isSweep ? [] : ['hot', 'warm'],
        }
        assert.equal(faultOfDraft(draft), undefined)
        assert.deepEqual(draftFromSent(draftToSend(draft)), draft)
      }),
    )
  })

  it('takes one address of the whitelist for each of its networks', () => {
    const toListed = (places: AskDraft['listed']) => faultOfDraft({ ...whole, goesTo: 'listed', listed: places })
    assert.equal(toListed(listed), undefined)
    assert.equal(toListed(listed.slice(1)), 'listed')
    assert.equal(toListed([...listed, { chain: 'eip155:1', address: '0xbb', memo: '' }]), 'listed')
    assert.equal(toListed([listed[0]!, { chain: 'eip155:10', address: '0xaa', memo: '' }]), 'listed')
  })

  it('says which addresses that are never touched cannot be read', () => {
    assert.equal(faultOfDraft({ ...whole, never: ' 0xaa \n\n0xbb' }), undefined)
    assert.deepEqual(draftToSend({ ...whole, never: ' 0xaa \n\n0xbb\n0xaa' }).never, ['0xaa', '0xbb'])
    assert.equal(faultOfDraft({ ...whole, never: '0xaa 0xbb' }), 'never')
    assert.equal(faultOfDraft({ ...whole, never: 'a'.repeat(129) }), 'never')
    assert.equal(faultOfDraft({ ...whole, never: Array.from({ length: 1025 }, (_, i) => String(i)).join('\n') }), 'never')
  })

  it('is left to the page that asked for it where a form cannot say it', () => {
    const sent = draftToSend(whole)
    assert.equal(draftFromSent({ ...sent, kind: 'allow' }), undefined)
    assert.equal(draftFromSent({ ...sent, sources: [{ wallet_id: 'deposits', sub_wallet_id: 'one' }] }), undefined)
    assert.equal(draftFromSent({ ...sent, targets: [...sent.targets, { kind: 'listed', ...listed[0]! }] }), undefined)
  })
})
