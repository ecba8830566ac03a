/** What the server says of one screening service of a wallet. A flag is set where it is 1; `expire_time` is in milliseconds. */
export type ScreeningService = {
  kyt_service: string
  expire_time: number
  status: number
  config_status: number
  open_status: number
}

const DAY_MS = 86_400_000
const SET = 1

/** In this order a service is preferred: it is running, else it is configured, else it was bought. */
const PREFERENCES = ['status', 'config_status', 'open_status'] as const

/** The whole days until a service expires; 0 on the last day, negative from the moment it has expired. */
export function expireDay(service: Pick<ScreeningService, 'expire_time'>, nowMs: number): number {
  // Math.floor gives -0 for nothing; adding zero makes it 0.
  return Math.floor((service.expire_time - nowMs) / DAY_MS) + 0
}

/** Whether a service has expired. */
export function isExpire(service: Pick<ScreeningService, 'expire_time'>, nowMs: number): boolean {
  return expireDay(service, nowMs) < 0
}

/**
 * The service that screens unless another one is chosen: of those that have not expired the first that is preferred, and where
 * none of them can serve, of all. Undefined if no service is even bought.
 */
export function defaultService<Service extends ScreeningService>(services: readonly Service[], nowMs: number): Service | undefined {
  const current = services.filter((service) => !isExpire(service, nowMs))
  for (const among of [current, services]) {
    for (const flag of PREFERENCES) {
      const found = among.find((service) => service[flag] === SET)
      if (found) return found
    }
  }
  return undefined
}
