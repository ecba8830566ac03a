import { after, before } from 'node:test'
import { keyLifeSuite } from './testing/suites/key-life.suite.ts'
import { keyOrderSuite } from './testing/suites/key-orders.suite.ts'
import { newIdentitySuite } from './testing/suites/new-identity.suite.ts'
import { setUpLiesSuite } from './testing/suites/set-up-lies.suite.ts'
import { found, type Founded } from './testing/founded-cluster.ts'

let founded: Founded
before(async () => {
  founded = await found()
})
after(() => founded.remove())

keyLifeSuite(() => founded)
keyOrderSuite(() => founded)
newIdentitySuite(() => founded)
setUpLiesSuite(() => founded)
