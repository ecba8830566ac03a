import { DatabaseError } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { CONFIGURATION_EXIT_CODE } from '@holdfast/ports'
import { fetchPlain } from '@holdfast/ports/fetch-plain'
import { nodePorts } from '@holdfast/ports/node'
import { ConfigurationError, readConfiguration } from './read-configuration.ts'
import { startServer } from './start-server.ts'

const ports = { ...nodePorts, fetch: fetchPlain }
ports.process.keepInspectorsOut()
try {
  const server = await startServer(ports, await readConfiguration(ports))
  ports.process.onStop(() => server.close())
  ports.process.print(`console at ${server.http.origin()}/mpc`)
  ports.process.print(`public key for signers: ${toHex(server.publicKey)}`)
} catch (cause) {
  const foreseen = cause instanceof ConfigurationError || cause instanceof DatabaseError
  ports.process.printError(foreseen ? `The server cannot start.\n${cause.message}` : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
  await ports.process.exit(cause instanceof ConfigurationError ? CONFIGURATION_EXIT_CODE : 1)
}
