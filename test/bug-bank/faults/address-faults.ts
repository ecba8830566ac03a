import type { PlantedFault } from '../planted-faults.ts'

const MANY = 'features/deposit-address/server/making/many-addresses.test.ts'

/** Faults around deposit addresses in number: whose word they have, and what each of them has. */
export const addressFaults: PlantedFault[] = [
  {
    file: 'features/key/server/attested-addresses.ts',
    original: 'return isEnough && opened.flat().every(',
    replacement: 'return opened.flat().every(',
    claimedBy: MANY,
    test: 'is shown to nobody, whoever wrote it into the database',
    why: 'an address without any statement is shown as one to pay to: whoever writes to the database takes the deposits',
  },
  {
    file: 'features/key/server/attest-addresses.ts',
    original: 'if (!equalBytes(statement.root, root)) throw',
    replacement: 'if (statement.root.length !== root.length) throw',
    claimedBy: MANY,
    test: 'is not made where one signer derives another',
    why: 'the server keeps addresses of its own beside statements about others',
  },
  {
    file: 'packages/ledger/src/address-balances.ts',
    original: 'where coalesce(own.available, 0) + added.available < 0)`',
    replacement: 'where coalesce(own.available, 0) + added.available < -1000)`',
    claimedBy: 'packages/ledger/src/address-balances.test.ts',
    test: 'adds up to what the sub-wallet has',
    why: 'an address is charged for what another one of the sub-wallet has, and the payment can never be made',
  },
]
