import { serveDev } from './serve-dev.ts'

const USAGE = `npm run dev [-- ORIGIN]
  Serves the console with live reload, and hands its calls to the server at ORIGIN (http://localhost:7000, where npm start puts it).`
const PORT = 7100

const [target = 'http://localhost:7000', ...more] = process.argv.slice(2)
if (more.length > 0 || !URL.canParse(target) || new URL(target).origin !== target) {
  console.error(USAGE)
  process.exit(2)
}
const answers = await fetch(`${target}/healthz`).then(
  ({ ok }) => ok,
  () => false,
)
if (!answers) console.error(`No server answers at ${target}: start one with npm start. Pages are served all the same.`)
await serveDev(target, PORT)
console.log(`The console with live reload: http://localhost:${PORT}/mpc/   (calls go to ${target}; sign in there with a passkey, or here by password)`)
