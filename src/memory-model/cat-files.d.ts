declare module '*.cat' {
  const text: string
  export default text
}
