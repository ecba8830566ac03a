import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { fetchMended, lazyPart, mendPartsBy } from './lazy-part.ts'

const Greeting = ({ name }: { name: string }) => createElement('b', null, name)
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a part that was fetched is shown at once, and its placeholder until then', async () => {
  let asked = 0
  const Part = lazyPart(
    async () => {
      asked++
      return Greeting
    },
    createElement('i', null, 'wait'),
  )
  const shown = () => renderToStaticMarkup(createElement(Part, { name: 'Ada' }))
  assert.equal(shown(), '<i>wait</i>')
  assert.equal(asked, 0)
  Part.preload()
  Part.preload()
  assert.equal(shown(), '<i>wait</i>')
  await settled()
  assert.equal(shown(), '<b>Ada</b>')
  Part.preload()
  assert.equal(asked, 1)
})

test('a part that could not be fetched is asked for again', async () => {
  let asked = 0
  const Part = lazyPart(async () => {
    if (asked++ === 0) throw new Error('no network')
    return Greeting
  })
  const shown = () => renderToStaticMarkup(createElement(Part, { name: 'Ada' }))
  Part.preload()
  await settled()
  assert.equal(shown(), '')
  Part.preload()
  await settled()
  assert.equal(shown(), '<b>Ada</b>')
})

test('code that could not be fetched is fetched again once it is mended, for as long as it is wanted, and not after that is given up', async () => {
  const told: string[] = []
  let tries = 0
  const load = async () => {
    if (++tries < 3) throw new Error('no network')
    return 'there'
  }
  mendPartsBy({ mend: async () => void told.push('mend'), mended: () => void told.push('mended') })
  assert.equal(await fetchMended(load), 'there')
  assert.deepEqual(told, ['mend', 'mend', 'mended'])
  tries = 0
  assert.equal(await fetchMended(load, () => tries < 1), undefined)
  mendPartsBy({
    mend: async (cause) => {
      throw cause
    },
    mended: () => undefined,
  })
  tries = 0
  await assert.rejects(fetchMended(load), /no network/)
})
