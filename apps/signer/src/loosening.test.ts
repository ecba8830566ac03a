import { after, before } from 'node:test'
import { found, type Founded } from './testing/founded-cluster.ts'
import { listingCoolingSuite } from './testing/suites/listing-cooling.suite.ts'
import { looseningSuite } from './testing/suites/loosening.suite.ts'
import { valuesSuite } from './testing/suites/values.suite.ts'

// Making a key takes seconds; these tests share one, and each works on a copy of its three folders.
let founded: Founded
before(async () => {
  founded = await found()
})
after(() => founded.remove())

looseningSuite(() => founded)
listingCoolingSuite(() => founded)
valuesSuite(() => founded)
