import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { EnergyMarketError, openEnergyMarket } from './energy-market.ts'

const CHAIN = 'tron:0xa419a01f'
const URL_WITH_KEY = 'https://rent.test/v1/secret-key'
const QUOTE = { label: 'Rent', chain: CHAIN, pay_to: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', energy: '65000', hours: 1, price: '2600000' }
const RENTAL = { id: 'abc-1', pay_to: QUOTE.pay_to, price: '2600000', expires_at: 1_000, state: 'unpaid' }
const asked = { receiver: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', energy: 65_000n }

type Sent = { url: string; body: unknown }
function marketOf(answer: () => Response | Promise<Response>) {
  const sent: Sent[] = []
  const fetch = (async (url: URL, init?: RequestInit) => {
    sent.push({ url: String(url), body: init?.body === undefined ? null : JSON.parse(String(init.body)) })
    return answer()
  }) as typeof globalThis.fetch
  const timer = { after: () => () => {} } as never
  return { market: openEnergyMarket({ fetch, timer }, URL_WITH_KEY, CHAIN), sent }
}

describe('whoever rents energy out', () => {
  it('is asked in its form, beneath its address, and its amounts are whole units', async () => {
    const { market, sent } = marketOf(() => Response.json(QUOTE))
    assert.deepEqual(await market.quote(asked), { labels: { en_US: 'Rent', zh_CN: 'Rent' }, payTo: QUOTE.pay_to, energy: 65_000n, hours: 1, price: 2_600_000n })
    assert.equal(sent[0]?.url, `${URL_WITH_KEY}/quote?receiver=${asked.receiver}&energy=65000`)
    const orders = marketOf(() => Response.json(RENTAL))
    await orders.market.order({ ...asked, payer: 'TPayer', reference: 'r-1' })
    await orders.market.look('abc-1', 'ff')
    assert.deepEqual(
      orders.sent.map(({ url, body }) => [url.slice(URL_WITH_KEY.length), body]),
      [
        ['/orders', { receiver: asked.receiver, energy: '65000', payer: 'TPayer', reference: 'r-1' }],
        ['/orders/abc-1', { payment_txid: 'ff' }],
      ],
    )
  })

  it('is shown by the name that it has in the language of whoever reads, or else by the one it has', async () => {
    const { market } = marketOf(() => Response.json({ ...QUOTE, label_zh: '租赁' }))
    assert.deepEqual((await market.quote(asked)).labels, { en_US: 'Rent', zh_CN: '租赁' })
  })

  it('is refused on another network, and where it refuses or is away, without its address, in which a key may stand', async () => {
    const answers = [
      () => Response.json({ ...QUOTE, chain: 'tron:0x2b6653dc' }),
      () => Response.json({ error: 'no' }, { status: 400 }),
      () => Promise.reject(new Error('no route')),
      () => new Response('<html>'),
    ]
    for (const answer of answers) {
      const { market } = marketOf(answer)
      await assert.rejects(market.quote(asked), (cause) => cause instanceof EnergyMarketError && !cause.message.includes('secret-key'))
    }
  })

  it('is never believed an amount or a state that is none, whatever it answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ id: fc.anything(), pay_to: fc.anything(), price: fc.anything(), state: fc.anything() }), async (odd) => {
        for (const key of ['id', 'pay_to', 'price', 'state'] as const) {
          const { market } = marketOf(() => Response.json({ ...RENTAL, [key]: odd[key] ?? null }))
          const told = await market.look('abc-1', null).catch((cause: unknown) => cause)
          if (told instanceof EnergyMarketError) continue
          const { price, payTo } = told as { price: bigint; payTo: string }
          assert.ok(price > 0n && payTo.length > 0 && payTo.length <= 128)
        }
      }),
    )
  })
})
