import type { ServerContext } from '@holdfast/features/context'
import { AppError } from '@holdfast/contract'
import { resourceErrors } from '@holdfast/features/resource/errors'

/** A network that gives resources for stake, with its own coin. Throws `tron_no_data` for any other. */
export function tronPlace({ networks }: Pick<ServerContext, 'networks'>, chain: string) {
  const place = tronPlaces({ networks }).find(({ network }) => network.chain === chain)
  if (!place) throw new AppError(resourceErrors.tron_no_data)
  return place
}

/** Every network that gives resources for stake. */
export function tronPlaces({ networks }: Pick<ServerContext, 'networks'>) {
  return networks.list().flatMap((network) => {
    const coin = networks.byContract(network.chain, '')
    const { stake } = network.node
    return stake && coin ? [{ network, coin, stake }] : []
  })
}
