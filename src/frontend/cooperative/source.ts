// What can be said of a file before it is read as C or C++. Apart from the front end, so that the command line can ask
// without loading it.

/** Whether a file asks for a cooperative scheduler by what it includes. */
export const isCooperativeSource = (name: string, text: string): boolean =>
  /^\s*#\s*include\s*[<"](?:fthread\.h|systemc(?:\.h)?)[>"]/m.test(text) || isCxx(name)

/** SystemC is C++, and C++ is SystemC here. */
export const isCxx = (name: string): boolean => /\.(?:cpp|cc|cxx|C)$/.test(name)
