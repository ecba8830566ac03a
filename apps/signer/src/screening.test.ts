import { after, before } from 'node:test'
import { found, type Founded } from './testing/founded-cluster.ts'
import { screeningSuite } from './testing/suites/screening.suite.ts'

// Making a key takes seconds; these tests share one, and each works on a copy of its three folders.
let founded: Founded
before(async () => {
  founded = await found()
})
after(() => founded.remove())

screeningSuite(() => founded)
