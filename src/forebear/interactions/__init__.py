"""What did people do with the results of their searches?"""
