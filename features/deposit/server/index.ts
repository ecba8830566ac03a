export { auditAll } from './run-audits.ts'
export { startDeposits } from './run-deposits.ts'
export { scanChain } from './scan.ts'
export { ScanHalted } from './rewind.ts'
