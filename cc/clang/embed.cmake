# A text file as a C string: IN, OUT, NAME. A line /* SMCC_MATH */ stands for the files MATH and ROUNDING, one that includes types.h or says
# /* SMCC_TYPES */ for the file TYPES.
file(READ ${IN} text)
file(READ ${MATH} math)
file(READ ${ROUNDING} rounding)
file(READ ${TYPES} types)
string(REPLACE "/* SMCC_MATH */\n" "${math}${rounding}" text "${text}")
string(REPLACE "/* SMCC_TYPES */\n" "${types}" text "${text}")
string(REPLACE "#include \"types.h\"\n" "${types}" text "${text}")
string(HEX "${text}" text)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," text "${text}")
file(WRITE ${OUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${text}0};\n")
