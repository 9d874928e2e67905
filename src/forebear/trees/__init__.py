"""How does a family tree become queries?"""
