import type { ServerFeature } from '@holdfast/features/server-feature'
import { startMachineLink } from './run-machine-link.ts'

export { listenForMachines, type MachineDoor } from './machine-door.ts'
export { DECIDES_ON_BATCHES, outdatedCoSigner } from './co-signer-programs.ts'
export { coSignerStatus, type CoSignerStatus, examineCoSigner } from './run-machine-link.ts'

export const feature: ServerFeature = { work: (context, services) => [startMachineLink(context, services)] }
