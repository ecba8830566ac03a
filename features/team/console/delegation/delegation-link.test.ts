import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { daysIn, linkTo } from './delegation-link.ts'

const URL = 'https://sign.example/#/delegation/ab'

describe('the way to sign who decides in somebody’s place', () => {
  it('counts both days, over the end of a year and a leap day', () => {
    assert.equal(daysIn({ from: '2026-12-30', to: '2027-01-02' }), 4)
    assert.equal(daysIn({ from: '2028-02-28', to: '2028-03-01' }), 3)
    assert.equal(daysIn({ from: '2026-12-30', to: '2026-12-29' }), undefined)
    assert.equal(daysIn({ from: undefined, to: '2026-12-29' }), undefined)
  })

  it('carries whom and which days, and is none while a day is missing', () => {
    const delegateId = '01900000-0000-7000-8000-000000000001'
    assert.equal(linkTo(URL, { delegateId, from: '2026-12-01', to: '2026-12-02' }), `${URL}/01900000000070008000000000000001/2026-12-01/2026-12-02`)
    assert.equal(linkTo(URL, { delegateId, from: '2026-12-01', to: undefined }), undefined)
  })
})
