import { after, before } from 'node:test'
import { attestOrderSuite } from './attest-order.suite.ts'
import { callSuite } from './calls.suite.ts'
import { cheatingSuite } from './cheating.suite.ts'
import { manySignaturesSuite } from './many-signatures.suite.ts'
import { policyChangeSuite } from './policy-changes.suite.ts'
import { sealedShareSuite } from './sealed-share.suite.ts'
import { sessionRandomnessSuite } from './session-randomness.suite.ts'
import { sessionSuite } from './sessions.suite.ts'
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
