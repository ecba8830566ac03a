import { after, before } from 'node:test'
import { addressBookSuite } from './testing/suites/address-book.suite.ts'
import { decidedVersionSuite } from './testing/suites/decided-version.suite.ts'
import { found, type Founded } from './testing/founded-cluster.ts'
import { standingStopSuite } from './testing/suites/standing-stop.suite.ts'
import { togetherSuite } from './testing/suites/together.suite.ts'

// Making a key takes seconds; these tests share one, and each works on a copy of its three folders.
let founded: Founded
before(async () => {
  founded = await found()
})
after(() => founded.remove())

togetherSuite(() => founded)
decidedVersionSuite(() => founded)
addressBookSuite(() => founded)
standingStopSuite(() => founded)
