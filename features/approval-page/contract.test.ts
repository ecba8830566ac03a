import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ApprovalPage, choosePages, onPage, pageUrl } from './contract.ts'

const page = fc.record({ up: fc.boolean(), key: fc.constantFrom<ApprovalPage['key']>('counts', 'waits', 'none') })
const pagesOf = (all: Omit<ApprovalPage, 'origin'>[]) => all.map((each, at) => ({ ...each, origin: `https://approve-${at}.example` }))

test('people are led to a page that can be reached where there is one, to the first of them, and shown no page twice', () => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 5 }).map(pagesOf), (pages) => {
      const { lead, others } = choosePages(pages)
      assert.equal(lead, (pages.find(({ up }) => up) ?? pages[0])?.origin)
      assert.equal(new Set([lead, ...others]).size, others.length + 1)
      for (const { origin, key } of pages.slice(1)) assert.equal(others.includes(origin), key === 'counts' && origin !== lead)
    }),
  )
})

test('the first page leads while it can be reached; when it is away the order turns around', () => {
  const [first, second] = ['https://approve-0.example', 'https://approve-1.example']
  const of = (up: [boolean, boolean], key: ApprovalPage['key']) =>
    choosePages(
      pagesOf([
        { up: up[0], key: 'counts' },
        { up: up[1], key },
      ]),
    )
  assert.deepEqual(of([true, true], 'counts'), { lead: first, others: [second] })
  assert.deepEqual(of([true, true], 'none'), { lead: first, others: [] }, 'a page where somebody has no key is not named')
  assert.deepEqual(of([true, true], 'waits'), { lead: first, others: [] }, 'nor one where their key counts for nothing yet')
  assert.deepEqual(of([false, true], 'counts'), { lead: second, others: [first] })
  assert.deepEqual(of([false, true], 'none'), { lead: second, others: [first] }, 'a page that is there can be read by anybody')
  assert.deepEqual(of([false, false], 'counts'), { lead: first, others: [second] })
})

test('a link opens the same at another page', () => {
  fc.assert(
    fc.property(fc.constantFrom('order', 'review', 'stop', 'key', 'setup'), fc.stringMatching(/^[0-9a-f,]{1,80}$/), (place, about) => {
      const url = pageUrl('http://approve.localhost:7020', place, about)
      assert.equal(onPage(url, 'https://approve-2.example'), pageUrl('https://approve-2.example', place, about))
      assert.equal(onPage(url, new URL(url).origin), url)
    }),
  )
})
