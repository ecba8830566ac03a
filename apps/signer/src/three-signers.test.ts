import { after, before } from 'node:test'
import { attestOrderSuite } from './testing/suites/attest-order.suite.ts'
import { callSuite } from './testing/suites/calls.suite.ts'
import { cheatingSuite } from './testing/suites/cheating.suite.ts'
import { manySignaturesSuite } from './testing/suites/many-signatures.suite.ts'
import { policyChangeSuite } from './testing/suites/policy-changes.suite.ts'
import { quotaSuite } from './testing/suites/quota.suite.ts'
import { sealedShareSuite } from './testing/suites/sealed-share.suite.ts'
import { sessionRandomnessSuite } from './testing/suites/session-randomness.suite.ts'
import { sessionSuite } from './testing/suites/sessions.suite.ts'
import { found, type Founded } from './testing/founded-cluster.ts'

// Making a key takes seconds; these tests share one, and each works on a copy of its three folders.
let founded: Founded
before(async () => {
  founded = await found()
})
after(() => founded.remove())

sessionSuite(() => founded)
callSuite(() => founded)
manySignaturesSuite(() => founded)
cheatingSuite(() => founded)
policyChangeSuite(() => founded)
attestOrderSuite(() => founded)
sealedShareSuite(() => founded)
sessionRandomnessSuite(() => founded)
quotaSuite(() => founded)
