// The headers beside this file are all that a target of precompiled headers compiles.
