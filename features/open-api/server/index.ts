export { openDoor } from './open-door.ts'
export { openWireDoor } from './wire/open-wire-door.ts'
