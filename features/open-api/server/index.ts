export { openDoor } from './open-door.ts'
