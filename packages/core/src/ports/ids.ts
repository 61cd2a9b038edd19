/** Makes an id that was never made before: at most 200 bytes of well-formed Unicode without NUL. */
export type NewId = () => string
