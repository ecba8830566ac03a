import { defineEndpoint } from '@holdfast/contract'
import * as z from 'zod'

export const listDevices = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/push/device/list',
  permission: 'member',
  staleOn: ['device.changed'],
  summary: "The caller's devices that are told when something waits for their approval, the newest first",
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        /** The host of the push service that reaches the device: the maker of its browser. */
        service: z.string(),
        since: z.int(),
        /** When the device was last told something; null if it has been told nothing yet. */
        last_told_at: z.int().nullable(),
        /** Whether the last try did not reach the push service. It is tried again as long as something waits. */
        failing: z.boolean(),
      }),
    ),
  }),
})

export const removeDevice = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/push/device/remove',
  permission: 'member',
  changes: ['device.changed'],
  summary: "Tells one of the caller's devices nothing any more; it can be switched on again on the approval page alone",
  input: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/, 'it must be the id of a device, from the list of them') }),
  output: z.null(),
  tenantParameters: ['id'],
})
